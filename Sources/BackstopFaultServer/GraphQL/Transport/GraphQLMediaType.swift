#if Demo
    /// The media types of GraphQL answers.
    enum GraphQLMediaType: String, Sendable {
        /// The answer is GraphQL's own, whatever the status is.
        case graphql = "application/graphql-response+json"
        /// The answer may be from anyone on the way.
        case json = "application/json"

        /// As it is sent.
        var contentType: String { "\(rawValue); charset=utf-8" }

        /// What a client accepts most; nil when it accepts neither (RFC 9110, 12.5.1).
        ///
        /// `application/json` wins a tie only when the other one is not named: clients that accept everything are old
        /// ones, which know `application/json`.
        static func preferred(by accept: [String]) -> Self? {
            let ranges = accept.flatMap { $0.split(separator: ",") }.map { AcceptedType(String($0)) }
            guard !ranges.isEmpty else { return .json }
            // What is named counts before what only matches.
            func quality(_ names: [String]) -> Double {
                names.lazy.compactMap { name in ranges.first { $0.name == name } }.first?.quality ?? 0
            }
            let graphql = quality([Self.graphql.rawValue])
            let json = quality([Self.json.rawValue, "application/*", "*/*"])
            guard graphql > 0 || json > 0 else { return nil }
            return graphql > 0 && graphql >= json ? .graphql : .json
        }

        /// The type without its parameters, in lower case.
        static func name(_ value: String) -> String {
            AcceptedType(value).name
        }

        /// One of the types in a list, with how much it is wanted.
        private struct AcceptedType {
            let name: String
            /// From 0, which excludes it, to 1.
            let quality: Double

            init(_ text: String) {
                let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { part in
                    String(part.filter { $0 != " " && $0 != "\t" }).lowercased()
                }
                name = parts.first ?? ""
                let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
                quality = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            }
        }
    }
#endif
