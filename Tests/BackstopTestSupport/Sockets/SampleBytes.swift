#if Demo
    package import Foundation

    /// So many bytes of all values, in an order that repeats nowhere near the size of a buffer.
    package func sampleBytes(_ count: Int) -> Data {
        var state: UInt32 = 1
        return Data(
            (0..<count).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(truncatingIfNeeded: state >> 24)
            })
    }

    /// Runs a test with a file of its own, and removes it.
    package func withFile(of content: Data, _ test: (URL) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try content.write(to: file)
        defer {
            try? FileManager.default.removeItem(at: file)
        }
        try await test(file)
    }
#endif
