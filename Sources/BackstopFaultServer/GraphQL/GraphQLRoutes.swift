#if Demo
    import Foundation

    /// A GraphQL server, good or failing.
    ///
    /// All lines of the listing with `/graphql` are one route: each shows some of its switches.
    enum GraphQLRoutes {
        static let all = [
            example(
                "Star Wars by POST or GET (query, operationName, variables, extensions, documentId); mutations by POST "
                    + "only, no subscriptions, no introspection beyond __typename"),
            example(
                "A field that fails: secretBackstory of every character is null, with an error (FORBIDDEN)",
                query: "{hero{name secretBackstory friends{name secretBackstory}}}"),
            example(
                "Records that fail: 4001 has no name, which makes it null; 4002 cannot be read; 4000 has both as "
                    + "friends. strict=1: the fields of the root are never null, so that data is null",
                "strict=1", query: "{human(id:4001){name}}"),
            example(
                "Persisted queries: apq=on (default), off (ignores them: 400, or refusalStatus=N), unsupported, unknown "
                    + "(500 to a hash alone); csrf=1 refuses a GET as Apollo Server does; registry=NAME; forget=1 "
                    + "forgets after each answer",
                "apq=unsupported", extensions: hashOnly),
            example(
                "How a miss, or no support, is told: miss=message, code, both (default); case=odd; missStatus=N; missData=1 adds "
                    + "data:null; alwaysMiss=1 misses also when the document is sent",
                "miss=code&missStatus=404&missData=1", extensions: hashOnly),
            example(
                "Executes only registered documents, found by hash or documentId: a miss at once",
                "safelist=1", extensions: hashOnly),
            example(
                "type=graphql or json instead of what Accept asks for; request errors have status 400 or, with "
                    + "application/json, legacyStatus=N (default 200)",
                "type=graphql", query: "{villain}"),
            example(
                "partialStatus=N for data with errors; status=N for every answer; retryAfter=SECONDS; "
                    + "flaky=503&times=N&id=X fails the first N calls",
                "partialStatus=294", query: "{hero{name secretBackstory}}"),
            example(
                "Breaks the body: " + GraphQLMalformation.allCases.map(\.rawValue).joined(separator: ", ")
                    + "; depth=N for deepExtensions",
                "malformed=errorsEntry"),
            FaultServer.Route(
                "/graphql/register", example: "/graphql/register?registry=NAME", method: "POST",
                "Registers documents: a manifest with operations, a list of {\"id\",\"body\"}, one of them, or a map "
                    + "from ids to documents"
            ) { .response(GraphQLRegistration.response(to: $0)) },
        ]

        private static let hashOnly =
            "{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\""
            + GraphQLStore.hash(of: "query TestQuery { test }") + "\"}}"

        /// A line of the listing, with a call to try.
        private static func example(
            _ description: String, _ switches: String = "", query: String = "{hero{name}}", extensions: String? = nil
        ) -> FaultServer.Route {
            let (name, value) = extensions.map { ("extensions", $0) } ?? ("query", query)
            let encoded = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let example = "/graphql?" + (switches.isEmpty ? "" : "\(switches)&") + "\(name)=\(encoded)"
            return FaultServer.Route("/graphql", example: example, description) {
                .response(GraphQLResponder(call: $0).response())
            }
        }
    }
#endif
