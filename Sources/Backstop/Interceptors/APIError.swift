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
    /// They are searched for before anything is decoded, at a fiftieth of the cost.
    static var identifyingKeys: [String] { get }

    /// Whether the service sends this error with a status from 200 to 299 as well. Default: false, a success is not
    /// searched for errors.
    ///
    /// Where it is true, choose ``identifyingKeys`` that no good answer has: one that has them is shown as a failure.
    static var comesWithSuccess: Bool { get }

    /// The type of ``decoder``.
    associatedtype DecoderType: EndpointDecoder = JSONDecoder

    /// The decoder. Default: the one of the client's `decoder:`, or a `JSONDecoder` with default settings. An optional
    /// one does not compile.
    static var decoder: DecoderType { get }

    /// Whether a response seems to carry this error. Default: its JSON has all ``identifyingKeys``.
    static func isCarried(by response: HTTP.Response) -> Bool
}

extension APIError where DecoderType == JSONDecoder {
    /// The client's decoder for the call that runs, or one with the default settings.
    public static var decoder: JSONDecoder {
        JSONCoding.current.decoder ?? JSONDecoder()
    }
}

extension APIError {
    /// Only with other statuses.
    public static var comesWithSuccess: Bool { false }

    /// Whether the body is a JSON object with all ``identifyingKeys``.
    public static func isCarried(by response: HTTP.Response) -> Bool {
        guard !identifyingKeys.isEmpty else {
            return false
        }
        return response.body.withUnsafeBytes { JSONScan.hasTopLevelKeys(identifyingKeys, in: $0) }
    }
}
