#if Demo
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import Foundation

    /// The page at `/signup` of `backstop serve`: it sends key strokes, and shows the state of a model in this process.
    struct SignUpForm: Sendable {
        /// How many pages may be open at once. Of those in one browser only the one that is used counts.
        static let sessionLimit = 4
        /// How many bytes a page may say at once.
        static let actLimit = 4096

        private let sessions: SignUpSessions

        /// - Parameter longest: When the session of a page ends that stays open. Default: after half an hour.
        init(longest: Duration = .seconds(1800)) {
            sessions = SignUpSessions(limit: Self.sessionLimit, longest: longest)
        }

        /// The routes of the page; what it shares with the playground is there.
        var mounts: [FaultServer.Mount] {
            let files: [WebFile] = [
                WebFile(path: "/signup", bytes: PackageResources.signup_html, type: .page),
                WebFile(path: "/signup/signup.css", bytes: PackageResources.signup_css, type: .style),
                WebFile(path: "/signup/signup.js", bytes: PackageResources.signup_js, type: .script),
            ]
            return files.map(\.mount) + [
                .service("/signup/events") { [sessions] call throws(WebRefusal) in
                    _ = try WebQuery(call.request.target, names: [])
                    return .events(try await sessions.open(at: call.url))
                },
                .service("/signup/act", methods: ["POST"]) { [sessions] call throws(WebRefusal) in
                    try await sessions.perform(try Self.act(call.request))
                    return .json("{}")
                },
                .service("/signup/") { _ throws(WebRefusal) in
                    throw WebRefusal(status: 404, reason: "There is no such part of the sign-up form")
                },
            ]
        }

        private static func act(_ request: RecordedRequest) throws(WebRefusal) -> SignUpSession.Act {
            // A type that a page of another origin cannot send without asking first.
            let types = request.values(of: "Content-Type").map { type in
                type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
            }
            guard types == ["application/json"] else {
                throw WebRefusal(status: 415, reason: "Only application/json is read here")
            }
            guard request.body.count <= actLimit,
                let act = try? JSONDecoder().decode(SignUpSession.Act.self, from: request.body)
            else {
                throw .badRequest("An act has a session and a kind, and at most \(actLimit) bytes")
            }
            return act
        }
    }

    /// The sessions of all pages that are open.
    @MainActor
    final class SignUpSessions {
        private let limit: Int
        private let longest: Duration
        private var sessions: [String: SignUpSession] = [:]

        nonisolated init(limit: Int, longest: Duration) {
            self.limit = limit
            self.longest = longest
        }

        /// How many there are.
        var count: Int { sessions.count }

        /// The events of a new session, which lasts as long as somebody reads them. The first tells its name.
        func open(at origin: URL) throws(WebRefusal) -> AsyncStream<Data> {
            guard sessions.count < limit else {
                throw WebRefusal(status: 429, reason: "\(limit) forms are open already: close one of them")
            }
            let (pieces, piece) = AsyncStream.makeStream(of: Data.self)
            let id = UUID().uuidString
            do {
                piece.yield(WebEvent.data("session", JSONWriter.object([("id", JSONWriter.quoted(id))])))
                sessions[id] = try SignUpSession(origin: origin) { piece.yield(WebEvent.data($0, $1)) }
            } catch {
                throw .badRequest(String(describing: error))
            }
            let end = Task {
                try await Task.sleep(for: longest)
                piece.finish()
            }
            piece.onTermination = { _ in
                end.cancel()
                Task { @MainActor in self.sessions.removeValue(forKey: id)?.end() }
            }
            return pieces
        }

        func perform(_ act: SignUpSession.Act) throws(WebRefusal) {
            guard let session = sessions[act.session] else {
                throw WebRefusal(status: 404, reason: "This session has ended: load the page again")
            }
            try session.perform(act)
        }
    }
#endif
