// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// As in Moya 15.
public final class Response: Sendable {
    public let statusCode: Int
    public let data: Data
    public let request: URLRequest?
    public let response: HTTPURLResponse?

    public init(statusCode: Int, data: Data, request: URLRequest? = nil, response: HTTPURLResponse? = nil) {
        (self.statusCode, self.data, self.request, self.response) = (statusCode, data, request, response)
    }
}

/// As in Moya 15.
public enum MoyaError: Error {
    case objectMapping(any Error, Response)
    case statusCode(Response)
    case underlying(any Error, Response?)

    public var response: Response? {
        switch self {
        case .objectMapping(_, let response), .statusCode(let response): response
        case .underlying(_, let response): response
        }
    }
}

extension MoyaError: CustomNSError {
    public var errorUserInfo: [String: Any] {
        switch self {
        case .objectMapping(let error, _), .underlying(let error, _): [NSUnderlyingErrorKey: error]
        case .statusCode: [:]
        }
    }
}
