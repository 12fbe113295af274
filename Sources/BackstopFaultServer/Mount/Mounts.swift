#if Demo
    import Foundation

    /// The routes of the caller's at one listener.
    struct Mounts: Sendable {
        let all: [FaultServer.Mount]
        let url: URL
        let otherOrigin: URL

        /// Whether nothing reaches the server's own routes.
        var takesAll: Bool { all.contains(where: \.takesAll) }

        /// The answer to a request; nil when no route of the caller's is for its path. An exact path goes first.
        func answer(to request: RecordedRequest, coming: RequestBody? = nil) -> Answer? {
            guard
                let mount = all.first(where: { $0.path == request.path })
                    ?? all.first(where: { $0.matches(request.path) })
            else { return nil }
            let call = FaultServer.Mount.Call(
                request: request, url: url, otherOrigin: otherOrigin, coming: coming)
            return .script { try await mount.script(call, $0) }
        }
    }
#endif
