internal import Backstop
public import BackstopCore

extension Failure {
    /// The GraphQL failure; nil when the call failed in another way, or was not a GraphQL call.
    public var graphQL: GraphQLFailure? {
        error(as: GraphQLFailure.self)
    }

    /// The GraphQL errors, including those in the body of a 4xx or 5xx; empty when there are none.
    public var graphQLErrors: [GraphQL.Error] {
        if let failure = graphQL {
            return failure.errors
        }
        guard case .status = reason, let response else {
            return []
        }
        return ResponseRule.errors(in: response)
    }
}

extension FailurePattern {
    /// Failures with a GraphQL error of this code: in `extensions.code`, or in its own member `code` or `type`.
    public static func graphQLCode(_ code: String) -> FailurePattern {
        FailurePattern("graphQL.\(code)") { failure in failure.graphQLErrors.contains { $0.codes.contains(code) } }
    }

    /// Failures with GraphQL errors.
    public static let graphQLErrors = FailurePattern("graphQLErrors") { !$0.graphQLErrors.isEmpty }
}

extension On {
    /// Makes a handler for GraphQL errors with this code whose closure returns its decision.
    ///
    /// The code is that of `extensions.code`, or of the error's own member `code` or `type`.
    ///
    /// ```swift
    /// let handler = On(graphQLCode: "UNAUTHENTICATED") { _ in print("Please sign in.") }
    /// ```
    public init(
        graphQLCode code: String, name: String? = nil, returning _: Verdict.Type = Verdict.self,
        perform: @escaping @Sendable (Failure) async -> Verdict
    ) {
        self.init(.graphQLCode(code), name: name, perform: perform)
    }

    /// Makes a handler for GraphQL errors with this code whose closure returns whether it handled the failure.
    public init(
        graphQLCode code: String, name: String? = nil, returning _: Bool.Type = Bool.self,
        perform: @escaping @Sendable (Failure) async -> Bool
    ) {
        self.init(.graphQLCode(code), name: name, perform: perform)
    }

    /// Makes a handler that handles GraphQL errors with this code.
    public init(graphQLCode code: String, name: String? = nil, perform: @escaping @Sendable (Failure) async -> Void) {
        self.init(.graphQLCode(code), name: name, perform: perform)
    }
}
