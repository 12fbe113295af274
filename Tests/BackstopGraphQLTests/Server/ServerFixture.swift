#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopGraphQL
    import Foundation

    extension FaultServer {
        /// A client of `/graphql` with some switches, and with the interceptors that most chains have.
        func client(
            _ switches: String = "", persisted: PersistedQueries? = nil, cache: ResponseCache? = nil
        ) throws -> Client {
            try Client(baseURL: url.absoluteString + "/graphql" + (switches.isEmpty ? "" : "?\(switches)")) {
                if let cache {
                    cache
                }
                Retry(attempts: 2, baseDelay: .milliseconds(1))
                Decoding()
                StatusValidation()
                if let persisted {
                    persisted
                }
                AttemptTimeout(.seconds(3600))
            }
        }

        /// What arrived at `/graphql`: `H` for a hash alone, `HT` for hash and text, `T` for the text alone, each with
        /// its method.
        var graphQLForms: [String] {
            get async {
                await requests(to: "/graphql").map { request in
                    let text = String(decoding: request.body, as: UTF8.self)
                    let hash = text.contains("sha256Hash") || request.target.contains("sha256Hash") ? "H" : ""
                    let query = text.contains(#""query":"#) || request.target.contains("query=") ? "T" : ""
                    return "\(request.method) \(hash)\(query)"
                }
            }
        }
    }

    /// A hero with a field that fails on the server.
    struct HeroBackstory: GraphQL.Operation {
        struct Data: Decodable, Sendable {
            struct Hero: Decodable, Sendable {
                var name: String
                var secretBackstory: String?
            }
            var hero: Hero?
        }

        var document = GraphQL.Document(
            text: "query HeroBackstory { hero { name secretBackstory } }")
    }
#endif
