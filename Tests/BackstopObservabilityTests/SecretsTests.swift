#if Observability
    import BackstopCore
    import BackstopObservability
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import InMemoryLogging
    import InMemoryTracing
    import MetricsTestKit
    import Testing
    import Tracing

    @Suite("Secrets", .limited)
    struct SecretsTests {
        /// An endpoint that carries a secret wherever one can be.
        private struct Leaky: Endpoint {
            var name: String { "leak token=s3cret-name" }

            func makeRequest() throws -> HTTP.Request {
                var request = try HTTP.Request(
                    .get, "https://ann:s3cret-user@shop.example.com/a?access_token=s3cret-query#id_token=s3cret-part")
                request.headers[.authorization] = "Bearer s3cret-bearer"
                request.headers["Cookie"] = "session=s3cret-cookie"
                request.headers["X-Api-Key"] = "s3cret-key"
                request.body = .data(Data(#"{"password":"s3cret-body"}"#.utf8))
                return request
            }

            func content(from response: HTTP.Response) throws -> Int { response.status }
        }

        private struct Coded: APIError {
            static let identifyingKeys = ["errorCode"]
            let errorCode: String
            var failureCode: String { errorCode }
        }

        @Test(
            "are in no entry, no metadata, no label and no attribute, even as the code of a service's error",
            arguments: ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.s3cret-jwt", "bad_s3cret-body"])
        func everywhere(code: String) async throws {
            // given
            let rig = Rig(
                .respond { _, context in
                    context.recordHop(try HTTP.Request(.get, "https://cdn.example.com/?sig=s3cret-hop"))
                    throw TransportError(.lost, phase: .receiving, detail: "password=s3cret-detail")
                },
                .status(503, headers: ["Set-Cookie": "a=s3cret-set"], body: #"{"token":"s3cret-503"}"#),
                .json(400, #"{"errorCode":"\#(code)"}"#))
            let client = try Client.standard(
                baseURL: Rig.base, apiError: Coded.self, transport: rig.transport, options: rig.options,
                handling: FailureHandling.silent
            ).observed(logger: rig.logger(), metrics: rig.metrics)
            // when
            await DefaultHandlers.withHandlers {
            } operation: {
                _ = await rig.tracing { await client.perform(Leaky()) }
            }
            // then
            var texts = rig.log.entries.flatMap { ["\($0.message)", "\($0.metadata)"] }
            #expect(texts.count == 4)
            for span in rig.tracer.finishedSpans {
                texts.append(span.operationName)
                texts.append("\(span.texts)")
                texts += span.events.map { "\($0)" }
                texts += span.errors.map { "\($0)" }
            }
            let backend = rig.backend
            texts +=
                (backend.counters.map(\.dimensions) + backend.timers.map(\.dimensions)
                + backend.recorders.map(\.dimensions) + backend.meters.map(\.dimensions)).map { "\($0)" }
            #expect(texts.count > 20)
            #expect(texts.filter { $0.contains("s3cret") } == [])
            #expect(rig.transport.requests.count == 3)
        }

        @Test("are in no message and no metadata where the client's redaction is off, unless the sink allows it")
        func redactionOff() async throws {
            for allowsSecrets in [false, true] {
                // given
                let rig = Rig(.status(500, headers: ["Set-Cookie": "a=s3cret-set"], body: #"{"token":"s3cret-500"}"#))
                var options = rig.options
                options.redaction = .off
                let sink = LoggerSink(rig.logger(), allowsSecrets: allowsSecrets)
                var handling = FailureHandling()
                handling.log = sink
                handling.observers = [sink]
                let client = try Client.standard(
                    baseURL: Rig.base, transport: rig.transport, retry: .never,
                    logging: RequestLogging(.call, bodyLimit: 500, curl: .always, to: sink), options: options,
                    handling: handling)
                // when
                await DefaultHandlers.withHandlers {
                } operation: {
                    _ = await client.perform(Leaky())
                }
                // then
                let entries = rig.log.entries
                #expect(entries.count == 2)
                #expect(entries.allSatisfy { "\($0.message)".contains("s3cret") == allowsSecrets })
                #expect(entries.allSatisfy { !"\($0.metadata)".contains("s3cret") })
            }
        }
    }
#endif
