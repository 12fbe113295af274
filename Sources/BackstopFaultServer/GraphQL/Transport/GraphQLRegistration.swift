#if Demo
    import Foundation

    /// Registers documents before any client asks for them, as a deployment does.
    enum GraphQLRegistration {
        /// The response to a request to `/graphql/register`.
        static func response(to call: RouteCall) -> ServerResponse {
            let json = try? JSONSerialization.jsonObject(with: call.request.body)
            guard let documents = documents(in: json), !documents.isEmpty else {
                return .failure(
                    "The body is a manifest with operations, a list of {\"id\",\"body\"}, one of them, or a map from "
                        + "ids to documents", status: 400)
            }
            let registry = call.request.parameter("registry") ?? ""
            for document in documents { call.state.graphQL.keep(document, in: registry, isRegistered: true) }
            return .json("{\"registered\":\(documents.count)}")
        }

        /// Nil when the value has none of the known forms.
        private static func documents(in json: Any?) -> [GraphQLStore.Document]? {
            let entries: [Any]
            switch json {
            case let map as [String: String] where map["id"] == nil: entries = map.map { ["id": $0, "body": $1] }
            case let object as [String: Any]: entries = object["operations"] as? [Any] ?? [object]
            default: entries = json as? [Any] ?? []
            }
            let documents = entries.compactMap { entry -> GraphQLStore.Document? in
                guard let entry = entry as? [String: Any], let id = entry["id"] as? String, !id.isEmpty,
                    let body = entry["body"] as? String
                else { return nil }
                return GraphQLStore.Document(id: id, text: body)
            }
            return documents.count == entries.count ? documents : nil
        }
    }
#endif
