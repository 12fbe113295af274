#if Demo
    package import BackstopFaultServer

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
#endif
