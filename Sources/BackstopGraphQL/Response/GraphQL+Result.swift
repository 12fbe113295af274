public import Backstop

extension GraphQL {
    /// The result of a GraphQL call: the data, and the errors beside it.
    public struct Result<Data: Sendable>: Sendable {
        /// The data.
        public let data: Data
        /// The errors beside the data; empty when there are none.
        public let errors: [GraphQL.Error]
        /// The response's `extensions`; empty when there are none.
        public let extensions: Extensions
        /// The HTTP response.
        public let response: HTTP.Response
        /// Where it came from: from the service, or from a ``ResponseCache``.
        public let source: Source

        /// Makes a result, for previews and tests.
        public init(
            data: Data, errors: [GraphQL.Error] = [], extensions: Extensions = [:],
            response: HTTP.Response = HTTP.Response(status: 200), source: Source = .service
        ) {
            self.data = data
            self.errors = errors
            self.extensions = extensions
            self.response = response
            self.source = source
        }

        /// The same result with another source.
        func from(_ source: Source) -> Result {
            Result(data: data, errors: errors, extensions: extensions, response: response, source: source)
        }

        /// Whether it came from a ``ResponseCache``.
        public var isFromCache: Bool {
            source.stored != nil
        }

        /// Whether the data is only partial.
        public var isPartial: Bool {
            !errors.isEmpty
        }

        /// The error that explains a null field; nil when none does.
        ///
        /// ```swift
        /// func why<Data>(_ result: GraphQL.Result<Data>) -> String? {
        ///     result.error(at: "hero.friends[2].name")?.message
        /// }
        /// ```
        /// - Parameter path: The field, by its names in the response, including aliases.
        public func error(at path: GraphQL.Path) -> GraphQL.Error? {
            errors.explaining(path)
        }
    }
}

extension GraphQL {
    /// Where a result came from; later versions may add sources.
    ///
    /// ```swift
    /// func age<Data>(_ result: GraphQL.Result<Data>, now: Duration = SystemClock().date) -> Duration {
    ///     result.source.stored.map { now - $0 } ?? .zero
    /// }
    /// ```
    public struct Source: Sendable, Hashable {
        /// When the service sent a stored result, since 1970-01-01 00:00:00 UTC; nil for a result from the service.
        public let stored: Duration?

        /// From the service, in this call.
        public static let service = Source(stored: nil)

        /// From a ``ResponseCache``.
        ///
        /// - Parameter stored: When the service sent it, since 1970-01-01 00:00:00 UTC.
        public static func cache(stored: Duration) -> Source {
            Source(stored: stored)
        }
    }
}

/// A result of any operation, as interceptors see it.
protocol AnyResult {
    var errors: [GraphQL.Error] { get }
}

extension GraphQL.Result: AnyResult {}

extension GraphQL.Result: LogNoting {
    /// The number of errors beside the data; nil when there are none.
    package var logNote: String? {
        switch errors.count {
        case 0: nil
        case 1: "1 error"
        default: "\(errors.count) errors"
        }
    }
}
