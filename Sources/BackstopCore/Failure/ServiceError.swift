/// An error by which the service itself says what is wrong.
///
/// Conform your app's error type; `APIError` of Backstop refines it for error bodies.
///
/// ```swift
/// struct OutOfStock: ServiceError {
///     var article: String
///     var failureCode: String { "outOfStock" }
///     var failureMessage: String? { "\(article) is sold out." }
/// }
/// ```
public protocol ServiceError: Error, Sendable {
    /// The stable name for machines; `failure.code` is `service.` and this. Default: the type's name.
    var failureCode: String { get }
    /// What the service says to people; nil when it says nothing that people should read. Default: nil.
    var failureMessage: String? { get }
    /// Whether the cause may pass by itself; nil to let the response's status decide. Default: nil.
    var isTransient: Bool? { get }
}

extension ServiceError {
    /// The name of the type, without module and generic arguments.
    public var failureCode: String { Role.name(of: Self.self) }
    /// Nothing for people.
    public var failureMessage: String? { nil }
    /// The response's status decides.
    public var isTransient: Bool? { nil }
}
