#if Demo
    import Foundation

    /// The media types of GraphQL responses.
    enum GraphQLMediaType: String, CaseIterable {
        /// The response is GraphQL's own, whatever the status is.
        case graphql
        /// The response may be from anyone on the way.
        case json

        var name: String { self == .graphql ? "application/graphql-response+json" : "application/json" }

        /// What a client accepts most; nil when it accepts neither (RFC 9110, 12.5.1).
        ///
        /// `application/json` wins a tie only when the other one is not named: clients that accept everything are old
        /// ones, which know `application/json`.
        static func preferred(by accept: [String]) -> Self? {
            let ranges = accept.flatMap { $0.split(separator: ",") }.map(String.init)
            guard !ranges.isEmpty else { return .json }
            // What is named counts before what only matches.
            func quality(_ names: [String]) -> Double {
                guard let range = names.lazy.compactMap({ accepted in ranges.first { name(of: $0) == accepted } }).first
                else { return 0 }
                let weight = range.lowercased().filter { $0 != " " }.split(separator: ";").first { $0.hasPrefix("q=") }
                return weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            }
            let graphql = quality([Self.graphql.name])
            let json = quality([Self.json.name, "application/*", "*/*"])
            guard graphql > 0 || json > 0 else { return nil }
            return graphql > 0 && graphql >= json ? .graphql : .json
        }

        /// A type without its parameters, in lower case.
        static func name(of type: String) -> String {
            type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        }
    }
#endif
