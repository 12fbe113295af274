public import Backstop
public import BackstopCore

/// An error of a service that knows which field of a form it is about.
///
/// It is presented inline, at that field, without any rule of the app's.
///
/// ```swift
/// struct NameError: APIError, FieldError {
///     static let identifyingKeys = ["error", "reason"]
///     let reason: String
///     var failureMessage: String? { reason }
///     var field: String? { "userName" }
/// }
/// ```
public protocol FieldError: ServiceError {
    /// The field's name in the app; nil when the error is about none, or about several.
    var field: String? { get }
}

extension ProblemDetails: FieldError {
    /// What the one entry of the extension `errors` points to: `userName` for the pointer `#/userName`. Nil when there are
    /// several, or none (RFC 9457, 3).
    public var field: String? {
        guard case .array(let entries)? = extensions["errors"], entries.count == 1,
            let pointer = entries.first?["pointer"]?.string
        else {
            return nil
        }
        let name = pointer.drop { $0 == "#" || $0 == "/" }
        return name.isEmpty ? nil : String(name)
    }
}
