public import Backstop
public import BackstopCore
internal import Foundation

/// An error of a service that knows which field of a form it is about.
///
/// It is presented inline, at that field, without any rule of the app's, unless its status has nothing to do with the
/// input: 401, 403, 404, 407, 410, what may pass (408, 425, 429), and faults of the server from 500 on.
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
    /// What the one entry of the extension `errors` points to: `userName` for the pointer `#/userName`, `address/street`
    /// for `#/address/street`, escapes resolved (RFC 6901, 4 and 6). Nil when there are several, or none (RFC 9457, 3).
    public var field: String? {
        guard case .array(let entries)? = extensions["errors"], entries.count == 1,
            let pointer = entries.first?["pointer"]?.string
        else {
            return nil
        }
        // Only as the fragment of a URL it is percent-encoded; what cannot be decoded is taken as it stands.
        let path = pointer.hasPrefix("#") ? pointer.removingPercentEncoding ?? pointer : pointer
        let name = path.drop { $0 == "#" || $0 == "/" }.replacingOccurrences(of: "~1", with: "/")
            .replacingOccurrences(of: "~0", with: "~")
        return name.isEmpty ? nil : name
    }
}
