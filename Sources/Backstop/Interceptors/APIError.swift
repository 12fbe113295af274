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
    /// The top-level JSON keys that only an error body has, all of them.
    ///
    /// They are looked for before anything is decoded, which costs a fiftieth of decoding. Choose keys that no good
    /// answer has; a good answer that has them anyway is recognised by the initializer throwing.
    static var identifyingKeys: [String] { get }

    /// The decoder. Default: a `JSONDecoder` with its default settings.
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
