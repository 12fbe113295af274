internal import Backstop
public import BackstopCore

extension Failure {
    /// What the GraphQL service or its answer says; nil when the call failed otherwise, or was not one by GraphQL.
    public var graphQL: GraphQLFailure? {
        error(as: GraphQLFailure.self)
    }

    /// The errors of the GraphQL service, also those in the body of a 4xx or 5xx; empty when there are none.
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
    /// An error of the GraphQL service with this `extensions.code`.
    public static func graphQLCode(_ code: String) -> FailurePattern {
        FailurePattern("graphQL.\(code)") { failure in failure.graphQLErrors.contains { $0.code == code } }
    }

    /// Any error of the GraphQL service.
    public static let graphQLErrors = FailurePattern("graphQLErrors") { !$0.graphQLErrors.isEmpty }
}

extension On {
    /// A handler for errors of the GraphQL service with this `extensions.code`, that decides by what it returns.
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

    /// A handler for errors of the GraphQL service with this `extensions.code`; the failure then counts as handled.
    public init(graphQLCode code: String, name: String? = nil, perform: @escaping @Sendable (Failure) async -> Void) {
        self.init(.graphQLCode(code), name: name, perform: perform)
    }
}
