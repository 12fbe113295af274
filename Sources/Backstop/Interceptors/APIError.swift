public import BackstopCore
public import Foundation

/// A service's error body, decoded into an app's type.
///
/// ```swift
/// struct ShopError: APIError {
///     static let identifyingKeys = ["error", "reason"]      // {"error": true, "reason": "Sold out."}
///     let reason: String
///     var failureMessage: String? { reason }
/// }
/// ```
public protocol APIError: ServiceError, Decodable {
    /// Top-level JSON keys that together occur only in an error body.
    ///
    /// They are searched for before anything is decoded, at a fiftieth of the cost. Choose keys that no successful
    /// response has; one that does is recognized when the initializer throws.
    static var identifyingKeys: [String] { get }

    /// The decoder. Default: a `JSONDecoder` with default settings.
    static var decoder: JSONDecoder { get }

    /// Whether a response seems to carry this error. Default: its JSON has all ``identifyingKeys``.
    static func isCarried(by response: HTTP.Response) -> Bool
}

extension APIError {
    /// A decoder with the default settings.
    public static var decoder: JSONDecoder {
        JSONDecoder()
    }

    /// Whether the body is a JSON object with all ``identifyingKeys``.
    public static func isCarried(by response: HTTP.Response) -> Bool {
        guard !identifyingKeys.isEmpty else {
            return false
        }
        return response.body.withUnsafeBytes { JSONScan.hasTopLevelKeys(identifyingKeys, in: $0) }
    }
}
