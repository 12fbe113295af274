#if Demo
    /// Registers documents before any client asks for them, as a deployment does.
    enum GraphQLRegistration {
        /// The answer to a request to `/graphql/register`.
        static func answer(_ exchange: Exchange) -> Response {
            let value: GraphQLValue
            do throws(GraphQLValueReader.Problem) {
                value = try GraphQLValueReader.read(exchange.request.body)
            } catch {
                return .failure("The body is not JSON: \(error.reason) at byte \(error.offset)", status: 400)
            }
            guard let documents = documents(in: value), !documents.isEmpty else {
                return .failure(
                    "The body is a manifest with operations, a list of {\"id\",\"body\"}, one of them, or a map from "
                        + "ids to documents", status: 400)
            }
            var isFull = false
            exchange.state.graphQL.change(exchange.request.parameter("registry") ?? "") { registry in
                for document in documents where !registry.register(document.body, id: document.id) {
                    isFull = true
                }
            }
            guard !isFull else {
                return .failure("A registry holds \(GraphQLRegistry.registeredCapacity) documents", status: 413)
            }
            return .json("{\"registered\":\(documents.count)}")
        }

        /// Nil when the value has none of the known forms.
        private static func documents(in value: GraphQLValue) -> [(id: String, body: String)]? {
            switch value {
            case .array(let entries): return documents(entries)
            case .object(let object):
                if case .array(let entries) = object["operations"] { return documents(entries) }
                if object["id"] != nil { return documents([value]) }
                let documents = object.members.compactMap { member in
                    member.value.text.map { (id: member.name, body: $0) }
                }
                return documents.count == object.members.count ? documents : nil
            default: return nil
            }
        }

        private static func documents(_ entries: [GraphQLValue]) -> [(id: String, body: String)]? {
            let documents = entries.compactMap { entry -> (id: String, body: String)? in
                guard let id = entry["id"]?.text, let body = entry["body"]?.text, !id.isEmpty else { return nil }
                return (id, body)
            }
            return documents.count == entries.count ? documents : nil
        }
    }
#endif
