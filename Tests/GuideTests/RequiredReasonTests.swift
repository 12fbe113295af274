import BackstopTestSupport
import Foundation
import Testing

/// An app has to declare a reason for each of these that is in its binary, whoever put it there: a package without a
/// privacy manifest must not use them.
/// https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api
@Suite("What an App Store app has to declare", .limited)
struct RequiredReasonTests {
    private static let names = [
        "stat", "fstat", "fstatat", "lstat", "getattrlist", "getattrlistbulk", "fgetattrlist", "getattrlistat",
        "creationDate", "modificationDate", "fileModificationDate", "contentModificationDateKey", "creationDateKey",
        "systemUptime", "mach_absolute_time", "statfs", "statvfs", "fstatfs", "fstatvfs", "volumeAvailableCapacityKey",
        "volumeAvailableCapacityForImportantUsageKey", "volumeAvailableCapacityForOpportunisticUsageKey",
        "volumeTotalCapacityKey", "systemFreeSize", "systemSize", "activeInputModes", "UserDefaults",
    ]

    /// Tools and servers for developers, which are in no app.
    private static let tools = [
        "BackstopCLI", "BackstopBenchmarks", "BackstopFaultServer", "PersistedOperationsTool",
        "PersistedOperationsWriter",
    ]

    @Test("is not in any module that goes into one")
    func sources() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
        let names = try Regex("\\b(\(Self.names.joined(separator: "|")))\\b")
        var count = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
            guard !Self.tools.contains(where: { path.hasPrefix("\($0)/") }) else {
                continue
            }
            count += 1
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                #expect(line.firstMatch(of: names) == nil, "\(path): \(line)")
            }
        }
        #expect(count > 200)
    }
}
