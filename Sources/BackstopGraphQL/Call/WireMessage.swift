internal import Backstop
internal import BackstopCore
internal import Foundation

/// The message as sent.
struct WireMessage {
    /// How the operation is identified to the server.
    enum Identity {
        /// By its text.
        case text(String)
        /// By its hash alone, as in the persisted-queries protocol.
        case hash(String)
        /// By its hash and its text, so that the server learns it.
        case both(hash: String, text: String)
        /// By its identifier, as in the draft of GraphQL over HTTP.
        case documentID(String)
    }

    /// Apollo Server refuses a GET that another site's page could trigger in a browser, unless it has a header that
    /// requires a preflight.
    static let preflight: HTTP.Headers.Name = "Apollo-Require-Preflight"

    let call: OperationCall
    let identity: Identity

    /// The members of the message, their values as JSON.
    private var members: [(name: String, json: String)] {
        var members: [(String, String)] = []
        if case .documentID(let id) = identity {
            members.append(("documentId", JSONWriter.quoted(id)))
        }
        // An operation without a name has nothing for a server to look up.
        if !call.document.name.isEmpty {
            members.append(("operationName", JSONWriter.quoted(call.document.name)))
        }
        if let variables = call.variables {
            members.append(("variables", String(decoding: variables, as: UTF8.self)))
        }
        var extensions = call.extensions
        switch identity {
        case .hash(let hash), .both(let hash, _):
            let hash = JSONWriter.quoted(DocumentIdentifier.bare(hash))
            extensions.removeAll { $0.name == "persistedQuery" }
            extensions.append(("persistedQuery", #"{"version":1,"sha256Hash":\#(hash)}"#))
        case .text, .documentID:
            break
        }
        if !extensions.isEmpty {
            members.append(("extensions", JSONWriter.object(extensions.map { ($0.name, $0.json) })))
        }
        switch identity {
        case .text(let text), .both(_, let text): members.append(("query", JSONWriter.quoted(text)))
        case .hash, .documentID: break
        }
        return members
    }

    /// Adds this message to a request, as the body of a POST or in the query of a GET.
    func applied(to request: HTTP.Request, byGET: Bool) throws -> HTTP.Request {
        var request = request
        request.url = Self.withoutMembers(of: request)
        guard byGET, call.document.kind == .query else {
            request.method = .post
            request.headers[.contentType] = "application/json"
            if call.options.headers[Self.preflight] == nil {
                request.headers.remove(Self.preflight)
            }
            request.body = .data(Data(JSONWriter.object(members.map { ($0.name, $0.json) }).utf8))
            return request
        }
        let items = members.map { member in
            // Strings are sent literally; only variables and extensions are JSON.
            switch (member.name, identity) {
            case ("operationName", _): URLQueryItem(name: member.name, value: call.document.name)
            case ("documentId", .documentID(let id)): URLQueryItem(name: member.name, value: id)
            case ("query", .text(let text)), ("query", .both(_, let text)): URLQueryItem(name: member.name, value: text)
            default: URLQueryItem(name: member.name, value: member.json)
            }
        }
        request.method = .get
        request.headers.remove(.contentType)
        if request.headers[Self.preflight] == nil {
            request.headers[Self.preflight] = "true"
        }
        request.body = .none
        request.url = try HTTP.Request(.get, request.url.absoluteString, queryItems: items).url
        return request
    }

    /// Whether a sent request is the request as it was, or with the document's hash added or in the place of its text.
    static func isSame(_ sent: HTTP.Request, as request: HTTP.Request, _ call: OperationCall) -> Bool {
        func isSent(_ request: HTTP.Request) -> Bool {
            sent.method == request.method && sent.url == request.url && sent.body.data == request.body.data
        }
        if isSent(request) {
            return true
        }
        guard let hash = call.document.hash ?? call.document.text.flatMap(GraphQL.Hasher.sha256.hash) else {
            return false
        }
        let identities: [Identity?] = [
            .hash(hash), call.document.text.map { .both(hash: hash, text: $0) },
            .documentID(DocumentIdentifier.prefixed(hash)),
        ]
        return identities.compactMap { $0 }.contains { identity in
            let message = WireMessage(call: call, identity: identity)
            return (try? message.applied(to: request, byGET: sent.method == .get)).map(isSent) ?? false
        }
    }

    /// The URL of a request without the message that a GET already has; the rest of its query, perhaps from the base
    /// URL, is kept.
    private static func withoutMembers(of request: HTTP.Request) -> URL {
        guard request.method == .get,
            var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false),
            let items = parts.percentEncodedQueryItems
        else {
            return request.url
        }
        let names: Set = ["documentId", "operationName", "variables", "extensions", "query"]
        let rest = items.filter { !names.contains($0.name) }
        parts.percentEncodedQueryItems = rest.isEmpty ? nil : rest
        return parts.url ?? request.url
    }
}
