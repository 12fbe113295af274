import Backstop
import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation

/// A service that learns hashes from its clients, as most servers with persisted queries do.
final class ScriptedService: Sendable {
    /// The hashes that it knows, guarded by the lock.
    private let known = Lock<Set<String>>([])
    /// Held up before the answer to each hash that is sent alone.
    let gate: Gate?

    init(gate: Gate? = nil) {
        self.gate = gate
    }

    /// Forgets all hashes.
    func forget() {
        known.withLock { $0.removeAll() }
    }

    /// Answers any number of requests.
    var step: Stub<HTTP.Request, HTTP.Response> {
        .respond("service") { request, _ in try await self.answer(request) }.repeated()
    }

    /// Answers any number of requests.
    var transport: ScriptedTransport {
        ScriptedTransport(step)
    }

    private func answer(_ request: HTTP.Request) async throws -> HTTP.Response {
        let hash = request.text.components(separatedBy: #""sha256Hash":""#).dropFirst().first?.prefix { $0 != "\"" }
        if let hash = hash.map(String.init) {
            if request.hasText {
                known.withLock { _ = $0.insert(hash) }
            } else {
                let isKnown = known.withLock { $0.contains(hash) }
                if !isKnown {
                    try await gate?.passUnlessCancelled()
                    return json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
                }
            }
        }
        return json(#"{"data":{"hero":{"name":"R2-D2"}}}"#)
    }

    private func json(_ text: String) -> HTTP.Response {
        HTTP.Response(status: 200, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
    }
}
