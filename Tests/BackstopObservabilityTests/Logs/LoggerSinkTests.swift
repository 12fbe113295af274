#if Observability
    import BackstopCore
    import BackstopObservability
    import BackstopTestSupport
    import BackstopTesting
    import InMemoryLogging
    import Logging
    import Testing

    @Suite("The log of a client", .limited)
    struct LoggerSinkTests {
        @Test("has the line of a call with its values as metadata")
        func success() async throws {
            // given
            let rig = Rig(.delay(.milliseconds(120), then: .status(200)))
            // when
            _ = try await rig.plain().logged(to: rig.logger()).send(Books())
            // then
            let entry = try #require(rig.log.entries.first)
            let id = try #require(entry.texts["backstop.call.id"])
            #expect(rig.log.entries.count == 1)
            #expect(entry.level == .debug)
            #expect(
                entry.message.description
                    == "#\(id) Books: GET https://shop.example.com/v1/books -> 200 OK, no content type, 0 bytes in 120 ms"
            )
            #expect(
                entry.texts == [
                    "backstop.call.id": id, "backstop.call.name": "Books", "backstop.call.attempts": "1",
                    "http.request.method": "GET", "url.full": "https://shop.example.com/v1/books",
                    "http.response.status_code": "200", "backstop.duration": "0.12",
                ])
        }

        @Test("has the code of a failure, its status, and how many attempts there were")
        func failure() async throws {
            // given
            let rig = Rig(.status(503), .status(404))
            // when
            _ = await rig.result(of: Books()) { $0.logged(to: rig.logger()) }
            // then
            let entry = try #require(rig.log.entries.first { $0.level == .warning })
            #expect(entry.texts["error.type"] == "404")
            #expect(entry.texts["http.response.status_code"] == "404")
            #expect(entry.texts["backstop.call.attempts"] == "2")
        }

        @Test("has a line for each attempt where the chain writes one, with its number")
        func attempts() async throws {
            // given
            let rig = Rig(.status(503), .status(200))
            let client = try rig.plain().withChain { try $0.inserting(RequestLogging(.attempt), inside: .retry) }
            // when
            _ = try await client.logged(to: rig.logger()).send(Books())
            // then: no line of the whole call, because the chain had its own logging
            #expect(rig.log.entries.map { $0.texts["backstop.attempt.number"] } == ["1", "2"])
            #expect(rig.log.entries.map { $0.texts["backstop.failure.code"] } == ["status.503", nil])
        }

        struct Decided: Sendable, CustomTestStringConvertible {
            let resolution: Resolution<Int>
            let level: Logger.Level
            let outcome: String
            let handler: String?
            var testDescription: String { outcome }
        }

        @Test(
            "says what became of a failure, and which handler decided",
            arguments: [
                Decided(resolution: .handled, level: .info, outcome: "handled", handler: "call"),
                Decided(resolution: .value(1), level: .info, outcome: "value", handler: "call"),
                Decided(resolution: .unhandled, level: .error, outcome: "unhandled", handler: nil),
            ])
        func outcomes(decided: Decided) async throws {
            // given
            let rig = Rig(.status(404))
            let client = try rig.plain().logged(to: rig.logger())
            // when
            await DefaultHandlers.withHandlers {
            } operation: {
                _ = await client.perform(Books()) { _ in decided.resolution }
            }
            // then: one entry about the outcome, besides the line of the call
            let entries = rig.log.entries.filter { $0.texts["backstop.outcome"] != nil }
            let entry = try #require(entries.first)
            #expect(entries.count == 1)
            #expect(rig.log.entries.count == 2)
            #expect(entry.level == decided.level)
            #expect(entry.texts["backstop.outcome"] == decided.outcome)
            #expect(entry.texts["backstop.handler"] == decided.handler)
            #expect(entry.texts["error.type"] == "404")
            #expect(entry.texts["backstop.retry.stop_reason"] == "notRetryable")
            #expect(entry.texts["http.request.method"] == "GET")
        }

        @Test("tells a failure that a handler repeats from one that is thrown")
        func retriedAndThrown() async throws {
            // given
            let rig = Rig(.status(404), .status(200), .status(404))
            let client = try rig.plain().logged(to: rig.logger())
            // when
            _ = await client.perform(Books()) { _ in .retry }
            _ = await client.result(of: Books())
            // then
            let entries = rig.log.entries.filter { $0.texts["backstop.outcome"] != nil }
            #expect(entries.map { $0.texts["backstop.outcome"] } == ["retried", "thrown"])
            #expect(entries.map(\.level) == [.info, .debug])
            #expect(entries[0].message.description.hasSuffix("Books: status.404, retried by call"))
        }

        @Test(
            "passes each level on under its name",
            arguments: [
                (LogLevel.debug, Logger.Level.debug), (.info, .info), (.notice, .notice), (.warning, .warning),
                (.error, .error),
            ])
        func levels(level: LogLevel, expected: Logger.Level) {
            // given
            let rig = Rig()
            // when
            LoggerSink(rig.logger()).write(LogEntry(level, "text"))
            // then
            #expect(rig.log.entries.map(\.level) == [expected])
            #expect(LoggerSink(rig.logger(expected)).isEnabled(level))
            #expect(
                LogLevel.allCases.filter { $0 < level }.allSatisfy { !LoggerSink(rig.logger(expected)).isEnabled($0) })
        }

        @Test("replaces the log of a client, and does so only once when asked twice")
        func twice() async throws {
            // given
            let rig = Rig(.status(404))
            let client = try rig.plain().logged(to: Logger(label: "unused")).logged(to: rig.logger())
            // when
            _ = await client.perform(Books()) { _ in .handled }
            // then: the line and the outcome
            #expect(rig.log.entries.count == 2)
            #expect(client.chain.roles.filter { $0 == .logging }.count == 1)
        }
    }

    extension Rig {
        /// What came of a call of a changed plain client.
        func result<E: Endpoint>(
            of endpoint: E, _ change: (Client) throws -> Client
        ) async -> Result<E.Content, Failure>? {
            guard let client = try? change(plain()) else {
                return nil
            }
            return await client.result(of: endpoint)
        }
    }
#endif
