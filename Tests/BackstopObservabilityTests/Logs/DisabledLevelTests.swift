#if Observability
    import BackstopCore
    import BackstopObservability
    import BackstopTestSupport
    import BackstopTesting
    import Logging
    import Testing

    @Suite("A level that the logger does not write", .limited)
    struct DisabledLevelTests {
        /// Counts what is built of a request.
        private struct Counted: CallRequest {
            let texts = Count()
            let isIdempotent = true
            let isReplayable = true

            func summary(_ redaction: Redaction) -> String {
                texts.add()
                return "counted"
            }

            func logFields(_ redaction: Redaction) -> [LogField] {
                texts.add()
                return []
            }
        }

        /// Counts the entries that reach it.
        private struct CountingHandler: LogHandler {
            let entries: Count
            var metadata: Logger.Metadata = [:]
            var logLevel: Logger.Level
            var metadataProvider: Logger.MetadataProvider?

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) {
                entries.add()
            }
        }

        /// What an observer is told of a call that failed with a counted request.
        private func texts(at level: Logger.Level, _ outcome: ObservedOutcome) async throws -> (
            texts: Int, entries: Int
        ) {
            let request = Counted()
            let entries = Count()
            let sink = LoggerSink(
                Logger(label: "test") { _ in CountingHandler(entries: entries, logLevel: level) })
            let chain = try Chain<Counted, String>(transport: Script(.failure(TransportError(.lost)))) {}
            do throws(Failure) {
                _ = try await chain.call(request)
            } catch {
                var handling = FailureHandling.silent
                handling.log = sink
                handling.observers = [sink]
                switch outcome {
                case .unhandled:
                    _ = await handling.perform(clock: RecordingClock()) { () throws(Failure) in throw error }
                default: await handling.observe(error, outcome)
                }
            }
            return (request.texts.value, entries.value)
        }

        @Test(
            "costs no text of a request, and no entry",
            arguments: [ObservedOutcome.unhandled, .handled(by: "h"), .thrown])
        func off(outcome: ObservedOutcome) async throws {
            try await DefaultHandlers.withHandlers {
            } operation: {
                let built = try await texts(at: .critical, outcome)
                #expect(built == (0, 0))
                // The same with all levels, so that the count means something.
                let all = try await texts(at: .trace, outcome)
                #expect(all.texts > 0)
                #expect(all.entries == 1)
            }
        }

        @Test("has RequestLogging ask for nothing but the levels")
        func line() async throws {
            // given
            struct Asked: LogSink {
                let fields = Count()
                let written = Count()
                let isOn: Bool
                func isEnabled(_ level: LogLevel) -> Bool { isOn }
                var keepsFields: Bool {
                    fields.add()
                    return true
                }
                func write(_ entry: LogEntry) { written.add() }
            }
            for isOn in [false, true] {
                let rig = Rig(.status(200), .status(404))
                let sink = Asked(isOn: isOn)
                let client = try rig.plain().withChain { $0.prepending(RequestLogging(.call, to: sink)) }
                // when
                _ = await client.result(of: Books())
                _ = await client.result(of: Books())
                // then
                #expect(sink.fields.value == (isOn ? 2 : 0))
                #expect(sink.written.value == (isOn ? 2 : 0))
            }
        }

        @Test("of a sink that does not keep fields costs none")
        func withoutFields() async throws {
            // given
            let rig = Rig(.status(404))
            let log = RecordingLog()
            let client = try rig.plain().withChain { $0.prepending(RequestLogging(.call, to: log)) }
            // when
            _ = await client.result(of: Books())
            // then
            #expect(log.entries.map(\.fields) == [[]])
        }
    }

    /// A number that several tasks count up.
    final class Count: Sendable {
        private let number = Lock(0)

        var value: Int {
            number.withLock { $0 }
        }

        func add(_ difference: Int = 1) {
            number.withLock { $0 += difference }
        }
    }
#endif
