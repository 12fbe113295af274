#if Demo
    internal import BackstopCore
    internal import Dispatch

    /// A call that went through the proxy, or did not.
    struct ProxyExchange: Sendable {
        let method: String
        /// Path and query, redacted.
        let target: String
        private let start = ContinuousClock.now
        /// The status that the app got; nil for none.
        var status: Int?
        /// `passed`, `injected: status 503`, `failed: transport.refused`, `cancelled`, or `refused`.
        var result = "passed"
        /// Until the head of the answer, or until what came in its place.
        private(set) var milliseconds = 0

        init(_ method: String, _ target: String) {
            (self.method, self.target) = (method.asciiText, target.asciiText)
        }

        mutating func end(_ status: Int?, _ result: String) {
            (self.status, self.result) = (status, result)
            milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        }

        var line: String {
            "\(method) \(target) \(status.map(String.init) ?? "-") \(milliseconds) ms \(result)"
        }

        var json: String {
            JSONWriter.object([
                ("method", JSONWriter.quoted(method)), ("target", JSONWriter.quoted(target)),
                ("status", status.map(String.init) ?? "null"), ("milliseconds", "\(milliseconds)"),
                ("result", JSONWriter.quoted(result)),
            ])
        }
    }

    /// The latest calls, and a line of output for each.
    final class ProxyLog: Sendable {
        /// How many are kept.
        static let capacity = 50
        /// How many lines may wait for a terminal that takes none; further ones are not written.
        private static let waitingLimit = 1000

        /// The latest first, and how many lines wait, guarded by the lock.
        private let state = Lock((latest: [ProxyExchange](), waiting: 0))
        /// Writing to a pipe may block.
        private let output = DispatchQueue(label: "backstop.proxy.log")

        func add(_ exchange: ProxyExchange) {
            let isWritten = state.withLock { state in
                state.latest.insert(exchange, at: 0)
                state.latest.removeLast(max(0, state.latest.count - Self.capacity))
                guard state.waiting < Self.waitingLimit else {
                    return false
                }
                state.waiting += 1
                return true
            }
            if isWritten {
                output.async { [self] in
                    try? Console.write(exchange.line)
                    state.withLock { $0.waiting -= 1 }
                }
            }
        }

        /// Returns when all lines are written, or when nobody takes them.
        func flush() async {
            let (ended, end) = AsyncStream.makeStream(of: Void.self)
            output.async { end.finish() }
            let watch = Task {
                repeat { try await Task.sleep(for: .seconds(1)) } while Console.takesOutput
                end.finish()
            }
            for await _ in ended {}
            watch.cancel()
        }

        var json: String {
            JSONWriter.list(state.withLock { $0.latest }.map(\.json))
        }
    }

    extension String {
        /// The text with all but printable ASCII escaped: what a terminal may obey, and what turns a line's direction.
        var asciiText: String {
            unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? String($0) : $0.escaped(asASCII: true) }.joined()
        }
    }
#endif
