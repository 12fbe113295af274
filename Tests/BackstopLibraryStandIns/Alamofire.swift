// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The shapes of other libraries that recipes of Docs/GettingStarted.md use, written from their public declarations: the
// samples compile against this module under the library's own name.

public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// As in Alamofire 5: the error behind another, which is none of Backstop's.
public enum AFError: Error {
    case explicitlyCancelled
    case invalidURL(url: String)
    case sessionDeinitialized
    case responseValidationFailed(reason: ResponseValidationFailureReason)
    case responseSerializationFailed(reason: ResponseSerializationFailureReason)
    case sessionTaskFailed(error: any Error)

    public enum ResponseValidationFailureReason: Sendable {
        case unacceptableStatusCode(code: Int)
        case unacceptableContentType(acceptableContentTypes: [String], responseContentType: String)
    }

    public enum ResponseSerializationFailureReason: Sendable {
        case decodingFailed(error: any Error)
        case inputDataNilOrZeroLength
    }

    public var isExplicitlyCancelledError: Bool {
        if case .explicitlyCancelled = self { true } else { false }
    }

    public var isInvalidURLError: Bool {
        if case .invalidURL = self { true } else { false }
    }

    public var isResponseValidationError: Bool {
        if case .responseValidationFailed = self { true } else { false }
    }

    public var isResponseSerializationError: Bool {
        if case .responseSerializationFailed = self { true } else { false }
    }

    public var responseCode: Int? {
        if case .responseValidationFailed(.unacceptableStatusCode(let code)) = self { code } else { nil }
    }

    public var underlyingError: (any Error)? {
        switch self {
        case .sessionTaskFailed(let error), .responseSerializationFailed(.decodingFailed(let error)): error
        case .explicitlyCancelled, .invalidURL, .sessionDeinitialized, .responseValidationFailed: nil
        case .responseSerializationFailed(.inputDataNilOrZeroLength): nil
        }
    }
}

/// As in Alamofire 5: what came of a request.
public struct DataResponse<Success: Sendable, Failure: Error>: Sendable {
    public let request: URLRequest?
    public let response: HTTPURLResponse?
    public let data: Data?
    public let result: Result<Success, Failure>
    public var error: Failure? {
        if case .failure(let error) = result { error } else { nil }
    }

    public init(request: URLRequest?, response: HTTPURLResponse?, data: Data?, result: Result<Success, Failure>) {
        (self.request, self.response, self.data, self.result) = (request, response, data, result)
    }
}

/// As in Alamofire 5: a request whose response is awaited. Here it is known before.
public struct DataTask<Value: Sendable>: Sendable {
    private let known: DataResponse<Value, AFError>
    public var response: DataResponse<Value, AFError> { get async { known } }

    public init(_ response: DataResponse<Value, AFError>) {
        known = response
    }
}
