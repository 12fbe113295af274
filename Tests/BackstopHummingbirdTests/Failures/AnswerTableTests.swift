#if Hummingbird
    import Backstop
    import BackstopTestSupport
    import Testing

    @testable import BackstopHummingbird

    @Suite("Which failure is answered with which status")
    struct AnswerTableTests {
        private static let samples: [(String, any Error)] =
            [
                ("`cancelled`", CancellationError()), ("`request`", RequestError(.encoding, "")),
                (
                    "`storage`",
                    StorageError(.init(row: "full", explanation: "", nextStep: "", message: .request), path: "")
                ),
                ("`other`", Unknown()), ("`rejected.idempotencyKey`", RejectionError(.idempotencyKey, "")),
                ("`transport`", TransportError(.refused)),
                ("`decoding`", DecodingError.valueNotFound(Int.self, .init(codingPath: [], debugDescription: ""))),
                ("any other status", StatusError(404)), ("`rejected`", RejectionError(.breakerOpen, "")),
                ("`timeout.connection`", TimeoutError(.connection)), ("429", StatusError(429)),
                ("503", StatusError(503)), ("`timeout`", TimeoutError(.attempt)), ("504", StatusError(504)),
            ]

        @Test("the guide's table is that of the code")
        func table() throws {
            var rows: [[String]] = []
            for (name, error) in Self.samples {
                let status = "\(Failure(error).answerStatus)"
                if rows.last?.last == status {
                    rows[rows.count - 1][0] += ", " + name
                } else {
                    rows.append([name, status])
                }
            }
            try Guide("Docs/Transports.md").expect(["failure", "answer"], under: "Hummingbird", toBe: rows)
        }

        @Test("all of a kind are answered alike, but for those that the table names")
        func kinds() {
            #expect(TransportError.Code.builtIn.allSatisfy { Failure(TransportError($0)).answerStatus == 502 })
            #expect(
                RejectionError.Code.builtIn.filter { Failure(RejectionError($0, "")).answerStatus != 503 }
                    == [.idempotencyKey])
            #expect(
                TimeoutError.Kind.builtIn.filter { Failure(TimeoutError($0)).answerStatus != 504 } == [.connection])
            #expect((300..<600).filter { Failure(StatusError($0)).answerStatus != 502 } == [429, 503, 504])
        }

        @Test("an error that a service describes is answered as its status would be")
        func service() throws {
            for status in [404, 429, 500, 503, 504] {
                let failure = Failure(Described(), response: HTTP.Response(status: status))
                #expect(failure.answerStatus == Failure(StatusError(status)).answerStatus)
                #expect(failure.publicCode == "service")
            }
            // As of GraphQL.
            #expect(Failure(Described(), response: HTTP.Response(status: 200)).answerStatus == 502)
        }

        @Test(
            "the wait is a whole number of seconds, from one to an hour",
            arguments: [(0, 1), (0.2, 1), (7, 7), (7.1, 8), (100_000, 3600)])
        func retryAfter(asked: Double, told: Int) {
            let failure = Failure(RejectionError(.breakerOpen, "", retryAfter: .seconds(asked)))
            #expect(failure.publicRetryAfter == told)
        }

        private struct Unknown: Error {}

        private struct Described: ServiceError {
            var failureCode: String { "INTERNAL_DATABASE" }
        }
    }
#endif
