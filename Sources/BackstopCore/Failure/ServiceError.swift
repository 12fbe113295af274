/// An error reported by the service itself.
///
/// Conform your app's error type; `APIError` of Backstop refines it for error bodies. It has two separate texts:
/// ``failureMessage`` for people, ``failureExplanation`` for developers.
///
/// ```swift
/// struct OutOfStock: ServiceError {
///     var article: String
///     var reason: String  // the server's own words, for developers
///     var failureCode: String { "outOfStock" }
///     var failureMessage: String? { "\(article) is sold out." }
///     var failureExplanation: String { "The shop refuses \(article): \(reason)" }
/// }
/// ```
public protocol ServiceError: Error, Sendable {
    /// The stable name for machines; `failure.code` is `service.` followed by it. Default: the type's name.
    var failureCode: String { get }
    /// The text for people, a full sentence; nil for the neutral text. Default: nil.
    ///
    /// Implement it only with a text fit for people, never with a server's text for developers.
    var failureMessage: String? { get }
    /// What is wrong, for developers: everything the service says. Secrets are redacted later.
    ///
    /// Reports, logs and `failure.explanation` show it; people never see it. Default: the type's own description, if it
    /// has one; otherwise ``failureMessage``, or else the type with its properties.
    var failureExplanation: String { get }
    /// What a developer can do about it, as a full sentence; nil to let the status decide. Default: nil.
    var failureNextStep: String? { get }
    /// Whether the cause is transient; nil to let the response's status decide. Default: nil.
    var isTransient: Bool? { get }
}

extension ServiceError {
    /// The name of the type, without module and generic arguments.
    public var failureCode: String { TypeName.short(Self.self) }
    /// Nothing for people.
    public var failureMessage: String? { nil }
    /// The type's own description, or its message for people, or its properties.
    public var failureExplanation: String {
        if let described = self as? any CustomStringConvertible {
            return described.description
        }
        let name = TypeName.text(Self.self)
        if let message = failureMessage, !message.isEmpty {
            return "\(name): \(message)"
        }
        let properties = String(describing: self)
        return properties.hasPrefix(TypeName.short(Self.self)) ? properties : "\(name): \(properties)"
    }
    /// The status decides.
    public var failureNextStep: String? { nil }
    /// The response's status decides.
    public var isTransient: Bool? { nil }
}

/// A service error that implies a status other than the response's: GraphQL answers 200 to a call without a session.
package protocol StatusMeaning: ServiceError {
    /// The status whose neutral texts fit; nil to let the response's status decide.
    var meantStatus: Int? { get }
    /// Whether it counts more than the response's own status of a failure. Default: true.
    var meansMore: Bool { get }
    /// Whether the server may have done its work, whatever the status is. Default: false.
    var leavesDoubt: Bool { get }
    /// The service's own code for what is wrong, which it may choose freely; nil, the default, for none.
    var serviceCode: String? { get }
}

extension StatusMeaning {
    /// It counts more.
    package var meansMore: Bool { true }

    /// The status decides.
    package var leavesDoubt: Bool { false }

    /// None.
    package var serviceCode: String? { nil }
}

/// An error of the service that consists of several, each of which ``Failure/error(as:)`` finds.
package protocol CompositeError {
    /// The errors, in the service's order.
    var parts: [any Error] { get }
}
