import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A CancellationError that nobody asked for", .limited)
struct ForeignCancellationTests {
    /// Waits for a refresh that all calls share, and that somebody else has cancelled.
    private static func sharedRefresh() -> ClosureInterceptor {
        let refresh = Task<String, any Error> {
            try await untilCancelled()
            return "token"
        }
        refresh.cancel()
        return ClosureInterceptor(role: .authentication) { request, _, next in
            var request = request
            request.headers[.authorization] = try await refresh.value
            return try await next(request)
        }
    }

    @Test("is a failure that handlers see and that says what it is")
    func handlers() async throws {
        // given
        let rig = Rig(.status(200))
        let client = try rig.client { Self.sharedRefresh() }
        // when
        let outcome = await client.perform(BookEndpoint()) { failure in
            failure.code == "other" ? .handled : .unhandled
        }
        // then
        #expect(outcome.handledBy == "call")
        #expect(outcome.failure?.isCancelled == false)
        #expect(outcome.failure?.report.contains("CancellationError") == true)
        #expect(rig.transport.requests.isEmpty)
    }

    @Test("is in the log when nobody handles it")
    func log() async throws {
        // given
        let rig = Rig(.status(200))
        let client = try rig.client {
            RequestLogging(.call, to: rig.log)
            Self.sharedRefresh()
        }
        // when
        await client.perform(BookEndpoint())
        // then
        #expect(rig.log.messages.contains { $0.contains("-> other in") })
        #expect(rig.log.messages.contains { $0.hasPrefix("No handler handled this failure.") })
    }

    @Test("is a cancellation where the call's own task is cancelled as well")
    func own() async throws {
        // given
        let client = try Rig(.status(200)).client { Self.sharedRefresh() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await client.perform(BookEndpoint()) { _ in
                Issue.record("a handler was asked")
                return .unhandled
            }
        }
        // then
        guard case .cancelled = await task.value else {
            Issue.record("the call did not end as cancelled")
            return
        }
    }
}
