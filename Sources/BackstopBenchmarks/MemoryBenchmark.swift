#if Benchmarks
    internal import Backstop
    internal import BackstopCore
    internal import Foundation

    /// 100,000 calls in flight over a transport that waits: memory per call.
    enum MemoryBenchmark {
        static let calls = 100_000

        /// What is measured, by name; each in a process of its own, because memory once used stays with a process.
        private static let kinds = [
            ("task", "a task that only waits"), ("bare", "with its task, in a client with no interceptor"),
            ("standard", "with its task, in the standard chain"),
            ("racing", "with its tasks, in the standard chain, with a race for each attempt"),
        ]

        @concurrent
        static func run() async throws -> [Figure] {
            try kinds.map { kind, what in
                let process = Process()
                process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                process.arguments = ["inflight", kind]
                let output = Pipe()
                process.standardOutput = output
                try process.run()
                process.waitUntilExit()
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                return Figure(
                    name: "bytes in flight, \(what)",
                    value: Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .nan, bound: nil,
                    detail: "\(calls) at once (0: not measured here)")
            }
        }

        /// Bytes of one call of a kind in flight.
        @concurrent
        static func inFlight(_ kind: String) async throws -> Double {
            let gate = Gate()
            let base = "https://api.example.com"
            let transport = Waiting(gate: gate, endsAttemptsInTime: kind != "racing")
            let client =
                kind == "bare"
                ? try Client(baseURL: base, transport: transport) {}
                : try Client.standard(baseURL: base, transport: transport)
            return await bytesPerCall(gate) {
                if kind == "task" {
                    await gate.wait()
                } else {
                    _ = try? await client.send(FailureBenchmark.Empty())
                }
            }
        }

        private static func bytesPerCall(_ gate: Gate, _ call: @escaping @Sendable () async -> Void) async -> Double {
            await Self.call(count: 100, gate: gate, call)
            let before = Memory.residentBytes()
            let after = await Self.call(count: calls, gate: gate, call)
            return Double(after - before) / Double(calls)
        }

        /// Begins so many calls, waits until all of them wait, gives the memory then, and lets them go.
        @discardableResult
        private static func call(
            count: Int, gate: Gate, _ call: @escaping @Sendable () async -> Void
        ) async -> Int {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask { await call() }
                }
                await gate.reached(count)
                let bytes = Memory.residentBytes()
                gate.open()
                await group.waitForAll()
                return bytes
            }
        }
    }

    enum Memory {
        /// The resident set of this process; 0 where it is not known.
        static func residentBytes() -> Int {
            // The second field of statm is the resident set in pages.
            let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
            let fields = text.split(separator: " ")
            return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
        }
    }

    /// Holds calls back until it is opened.
    final class Gate: Sendable {
        private struct State {
            var waiting: [CheckedContinuation<Void, Never>] = []
            var target = Int.max
            var observer: CheckedContinuation<Void, Never>?
        }

        /// Who waits, guarded by the lock.
        private let state = Lock(State())

        func wait() async {
            await withCheckedContinuation { continuation in
                let observer = state.withLock { state -> CheckedContinuation<Void, Never>? in
                    state.waiting.append(continuation)
                    guard state.waiting.count >= state.target else {
                        return nil
                    }
                    defer { state.observer = nil }
                    return state.observer
                }
                observer?.resume()
            }
        }

        func reached(_ count: Int) async {
            await withCheckedContinuation { continuation in
                let isReached = state.withLock { state in
                    state.target = count
                    guard state.waiting.count < count else {
                        return true
                    }
                    state.observer = continuation
                    return false
                }
                if isReached {
                    continuation.resume()
                }
            }
        }

        func open() {
            for continuation in state.withLock({ exchange(&$0.waiting, with: []) }) {
                continuation.resume()
            }
        }
    }

    struct Waiting: HTTP.Transport {
        let gate: Gate
        let endsAttemptsInTime: Bool

        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            await gate.wait()
            return HTTP.Response(status: 204)
        }
    }
#endif
