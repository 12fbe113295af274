/// An error by which the service itself says what is wrong.
///
/// Conform your app's error type; `APIError` of Backstop refines it for error bodies. It has two texts, which are never
/// mixed: ``failureMessage`` is what people read, ``failureExplanation`` is what developers read.
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
    /// The stable name for machines; `failure.code` is `service.` and this. Default: the type's name.
    var failureCode: String { get }
    /// What people read, as a whole sentence; nil for neutral words. Default: nil.
    ///
    /// A type that implements it says thereby that the text is fit for people: never a server's words for developers.
    var failureMessage: String? { get }
    /// What is wrong, for developers: everything that the service says, secrets aside, which are redacted later.
    ///
    /// Reports, logs and `failure.explanation` show it, people never see it. Default: the description where the type
    /// has one of its own; otherwise ``failureMessage``, or else the type with its properties.
    var failureExplanation: String { get }
    /// One step for developers that helps with this error, as a whole sentence; nil to let the status decide.
    /// Default: nil.
    var failureNextStep: String? { get }
    /// Whether the cause may pass by itself; nil to let the response's status decide. Default: nil.
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

/// An error of a service that means a status which the response's own need not say: GraphQL answers 200 to a call
/// without a session.
package protocol StatusMeaning: ServiceError {
    /// The status whose neutral words fit; nil to let the response's status decide.
    var meantStatus: Int? { get }
}
