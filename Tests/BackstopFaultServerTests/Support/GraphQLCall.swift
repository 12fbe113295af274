#if Demo
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    extension URL {
        /// Posts JSON to `/graphql`.
        /// - Parameter switches: the query of the target.
        func post(_ body: String, switches: String = "", headers: String = "") async throws -> Reply {
            try await reply(
                to: "/graphql" + (switches.isEmpty ? "" : "?\(switches)"), method: "POST",
                headers: "Content-Type: application/json\r\n\(headers)", body: body)
        }

        /// Posts a document to `/graphql`.
        /// - Parameter rest: more members of the body, as JSON that begins with a comma.
        func ask(_ document: String, _ rest: String = "", switches: String = "", headers: String = "") async throws
            -> Reply
        {
            try await post("{\"query\":\(LiteralJSON.string(document))\(rest)}", switches: switches, headers: headers)
        }

        /// Gets `/graphql` with these parameters, percent-encoded.
        func get(_ parameters: [(String, String)], switches: String = "", headers: String = "") async throws -> Reply {
            let pairs = parameters.map { name, value in
                "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
            }
            let query = (pairs + (switches.isEmpty ? [] : [switches])).joined(separator: "&")
            return try await reply(to: "/graphql?\(query)", headers: headers)
        }
    }

    /// The extension of a persisted query, as JSON.
    func persisted(_ hash: String) -> String {
        "{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"\(hash)\"}}"
    }

    /// The `Accept` that clients should send.
    let acceptsGraphQL = "Accept: application/graphql-response+json, application/json;q=0.9\r\n"
#endif
