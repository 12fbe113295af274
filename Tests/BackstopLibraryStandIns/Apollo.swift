// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// As in Apollo iOS 2.
public struct ResponseCodeInterceptor {
    public struct ResponseCodeError: Error {
        public let response: HTTPURLResponse
        public let chunk: Data

        /// Only here: the library makes it itself.
        public init(response: HTTPURLResponse, chunk: Data) {
            (self.response, self.chunk) = (response, chunk)
        }
    }
}
