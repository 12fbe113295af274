public import Backstop

extension GraphQL {
    /// What a GraphQL call gave: data, and the errors that came with it.
    public struct Result<Data: Sendable>: Sendable {
        /// The data.
        public let data: Data
        /// The errors that came with the data; empty when there were none.
        public let errors: [GraphQL.Error]
        /// What the server added about the response; empty when it added nothing.
        public let extensions: [String: JSONValue]
        /// The HTTP response.
        public let response: HTTP.Response

        /// Makes a result, for previews and tests.
        public init(
            data: Data, errors: [GraphQL.Error] = [], extensions: [String: JSONValue] = [:],
            response: HTTP.Response = HTTP.Response(status: 200)
        ) {
            self.data = data
            self.errors = errors
            self.extensions = extensions
            self.response = response
        }

        /// Whether only a part of what was asked came.
        public var isPartial: Bool {
            !errors.isEmpty
        }

        /// The error that explains why a field is null; nil when none does.
        ///
        /// ```swift
        /// func why<Data>(_ result: GraphQL.Result<Data>) -> String? {
        ///     result.error(at: "hero.friends[2].name")?.message
        /// }
        /// ```
        /// - Parameter path: The field, by its names in the response: aliases where there are some.
        public func error(at path: GraphQL.Path) -> GraphQL.Error? {
            errors.explaining(path)
        }
    }
}

/// A result whose data need not be known, as the cache sees it.
protocol AnyResult {
    var isPartial: Bool { get }
}

extension GraphQL.Result: AnyResult {}
