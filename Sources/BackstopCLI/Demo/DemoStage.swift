#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import Foundation

    /// What the scenarios play on: the fault server, and clients for it.
    struct DemoStage: Sendable {
        let server: FaultServer
        /// Where nobody listens.
        let closedURL: URL
        let tracesInterceptors: Bool

        static func open(tracesInterceptors: Bool) async throws -> DemoStage {
            // The original asks for 17 seconds; a demo has less time.
            let server = try await FaultServer.start(.init(retryAfter: 1))
            let closed = try await FaultServer.start()
            let closedURL = closed.url
            await closed.stop()
            return DemoStage(server: server, closedURL: closedURL, tracesInterceptors: tracesInterceptors)
        }

        /// The standard client, with short waits.
        func client(
            base: String? = nil, attempts: Int = 3, attemptTimeout: Duration = .seconds(5),
            deadline: Duration? = nil, observer: any CallObserver
        ) throws -> Client {
            var options = CallOptions()
            options.tracesInterceptors = tracesInterceptors
            options.observers = [observer]
            return try Client.standard(
                baseURL: base ?? server.url.absoluteString, apiError: SignUpError.self,
                retry: RetryPolicy(attempts: attempts, backoff: Backoff(baseDelay: .milliseconds(100))),
                attemptTimeout: attemptTimeout, deadline: deadline, logging: nil, options: options)
        }
    }

    /// The error body of the sign-up service.
    struct SignUpError: APIError {
        static let identifyingKeys = ["error", "reason"]
        static let comesWithSuccess = true
        let reason: String
        var failureCode: String { "signUp" }
        var failureMessage: String? { reason }
    }

    /// The sign-up service's answer.
    struct Availability: Decodable, Sendable {
        let isAvailable: Bool
        let userName: String
    }

    /// A book of the demo's shop.
    struct Book: Decodable, Sendable {
        let id: Int
        let title: String
        let price: Double
    }
#endif
