#if Demo
    package import BackstopFaultServer
    internal import Foundation
    internal import Testing

    /// Runs a test against a server of its own, and stops it.
    package func withServer(
        _ options: FaultServer.Options = .init(), mounting mounts: [FaultServer.Mount] = [],
        _ test: (FaultServer) async throws -> Void
    ) async throws {
        let server = try await FaultServer.start(options, mounting: mounts)
        do {
            try await test(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    extension FaultServer {
        /// The whole URL of a target, such as `/status/503?retryAfter=2`.
        package func target(_ target: String) -> String {
            url.absoluteString + target
        }

        /// The only request to a path; the test fails when there is none, or more than one.
        package func onlyRequest(to path: String) async throws -> RecordedRequest {
            let requests = await requests(to: path)
            #expect(requests.count == 1)
            return try #require(requests.first)
        }
    }
#endif
