#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("A network that fails", .sockets)
    struct NetworkFaultTests {
        struct Fault: Sendable {
            let path: String
            let code: TransportError.Code
            let phase: TransportError.Phase
            /// The status and the bytes of a response that had begun; nil when none had.
            var partial: (status: Int, bytes: Int)?
        }

        static let faults = [
            Fault(path: "/reset", code: .lost, phase: .waiting),
            Fault(path: "/reset-midway", code: .lost, phase: .receiving, partial: (200, 300)),
            Fault(path: "/cut", code: .truncated, phase: .receiving, partial: (200, 300)),
            Fault(path: "/cut-chunked", code: .truncated, phase: .receiving, partial: (200, 300)),
            Fault(path: "/not-http", code: .badResponse, phase: .receiving),
        ]

        @Test("is named by what had happened, with what had come of the response", arguments: faults)
        func fault(_ fault: Fault) async throws {
            try await withServer { server in
                let client = try server.client()
                let failure = try await failed { try await client.get(fault.path) }
                guard case .transport(let error) = failure.reason else {
                    Issue.record(failure)
                    return
                }
                #expect(error.code == fault.code)
                #expect(error.phase == fault.phase)
                #expect(failure.response?.status == fault.partial?.status)
                #expect(failure.response?.body.count == fault.partial?.bytes)
                #expect(error.bytesReceived == fault.partial.map { Int64($0.bytes) })
                #expect(failure.request?.url.absoluteString == server.target(fault.path))
            }
        }

        @Test("is tried again where the fault may pass, and only there", arguments: faults)
        func retried(_ fault: Fault) async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let failure = try await failed { try await client.get(fault.path) }
                #expect(failure.attempts.count == (fault.code.isTransient ? 3 : 1))
                #expect(failure.stopReason == (fault.code.isTransient ? .attemptsUsed(3) : .notRetryable))
            }
        }

        @Test("refuses the connection where nothing listens")
        func refused() async throws {
            let port = try ClosedPort.refusing()
            let failure = try await failure(askingAt: port.origin)
            withExtendedLifetime(port) {}
            #expect(failure.code == "transport.refused")
            #expect(failure.response == nil)
        }

        @Test("does not know a host that does not exist")
        func unknownHost() async throws {
            let failure = try await failure(askingAt: "http://name.invalid")
            #expect(failure.code == "transport.dns")
            #expect(failure.report.contains("name.invalid"))
        }

        @Test("ends with the attempt timeout when nobody takes the connection")
        func neverConnected() async throws {
            let port = try ClosedPort.silent()
            let failure = try await failure(askingAt: port.origin, attemptTimeout: .milliseconds(100))
            withExtendedLifetime(port) {}
            #expect(failure.code == "timeout.attempt")
        }

        @Test("ends with the attempt timeout when no answer comes, and the connection is given up")
        func hang() async throws {
            try await withServer { server in
                let options = options(RequestClock(server: server, path: "/hang"))
                let client = try server.client(retry: .quick(attempts: 2), options: options)
                let failure = try await failed { try await client.get("/hang") }
                #expect(failure.code == "timeout.attempt")
                #expect(failure.attempts.count == 2)
                #expect(await server.waitForDisconnection(of: "/hang", count: 2))
            }
        }

        @Test("ends with the deadline when a body never ends, and the connection is given up")
        func hangBody() async throws {
            try await withServer { server in
                var options = options(RequestClock(server: server, path: "/hang-body", longest: .seconds(20)))
                options.deadline = .seconds(20)
                let client = try server.client(retry: .quick(), options: options)
                let failure = try await failed { try await client.get("/hang-body") }
                #expect(failure.code == "timeout.deadline")
                #expect(failure.stopReason == .deadline(wait: nil))
                #expect(server.requestCount(of: "/hang-body") == 1)
                #expect(await server.waitForDisconnection(of: "/hang-body"))
            }
        }

        @Test("ends with the idle timeout when no byte moves, and no deadline counts")
        func idle() async throws {
            try await withServer { server in
                let transport = try URLSessionTransport(idleTimeout: .seconds(1))
                let client = try server.client(transport: transport)
                let failure = try await failed { try await client.get("/hang") }
                #expect(failure.code == "timeout.attempt")
            }
        }

        private func options(_ clock: any CallClock) -> CallOptions {
            var options = CallOptions()
            options.clock = clock
            return options
        }

        private func failure(askingAt origin: String, attemptTimeout: Duration = .seconds(3600)) async throws -> Failure
        {
            let client = try Client.standard(
                baseURL: origin, retry: .never, attemptTimeout: attemptTimeout, logging: nil, handling: .silent)
            return try await failed { try await client.get("/") }
        }
    }
#endif
