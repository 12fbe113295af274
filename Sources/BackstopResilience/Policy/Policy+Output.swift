internal import Backstop

extension Policy {
    /// What an operation returned, as interceptors see it: the response of their chain.
    ///
    /// Interceptors pass it on. One that answers itself makes an output from a value of the type that the operation
    /// returns; with any other type the run fails, and the failure names both.
    ///
    /// ```swift
    /// struct NoRows: Policy.Interceptor {
    ///     func intercept(
    ///         _ request: Policy.Operation, context: CallContext, next: Policy.Next
    ///     ) async throws -> Policy.Output {
    ///         do {
    ///             return try await next(request)
    ///         } catch let error as TransportError where error.code == .offline {
    ///             return Policy.Output([String]())
    ///         }
    ///     }
    /// }
    /// ```
    public struct Output: Sendable {
        private let stored: any Sendable

        /// Makes an output.
        public init(_ value: some Sendable) {
            stored = value
        }

        /// The value; nil when it is of another type.
        public func value<Value: Sendable>(as type: Value.Type = Value.self) -> Value? {
            stored as? Value
        }

        /// The value for the caller of the run.
        func required<Value: Sendable>(_ type: Value.Type) throws(OutputError) -> Value {
            guard let value = value(as: type) else {
                throw OutputError(expected: TypeName.text(type), found: TypeName.text(Swift.type(of: stored)))
            }
            return value
        }
    }

    /// An interceptor returned an output of another type than the operation's.
    public struct OutputError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The type that the operation returns.
        public let expected: String
        /// The type of the value that the interceptor returned.
        public let found: String

        /// Both types, and what to do.
        public var description: String {
            "An interceptor of the policy returned a value of type \(found), and the operation returns \(expected). "
                + "Use a policy of its own for the operations that return \(found)."
        }
    }
}

extension Policy.Output: DescribedInDumps {
    /// The type of the value; the value itself is not shown.
    public var description: String {
        "output of type \(TypeName.text(type(of: stored)))"
    }
}

extension Policy.OutputError: AdvisingError {
    package var nextStep: String {
        "Return a value of type \(expected) from the interceptor, or run the operations that return \(found) through a "
            + "policy of their own."
    }
}
