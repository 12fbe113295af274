#if AsyncHTTPClient
    public import Backstop
    public import BackstopCore
    public import Foundation
    public import HTTPTypes

    extension HTTPResponse {
        /// The same response in the type of swift-http-types: status and fields, in their order.
        ///
        /// Content, trailers and URL have no place in that type; `HTTPFields` can hold the trailers.
        ///
        /// - Throws: `TransportError` with `.badResponse` for a field that the type cannot hold, or a status that is
        ///   not from 0 to 999.
        public init(_ response: HTTP.Response) throws(TransportError) {
            guard (0...999).contains(response.status) else {
                throw TransportError(
                    .badResponse, phase: .receiving, detail: "The status \(response.status) has more than three digits")
            }
            do {
                self.init(
                    status: Status(code: response.status), headerFields: try HTTPFields(response.headers))
            } catch {
                throw TransportError(.badResponse, phase: .receiving, detail: error.detail, underlying: error)
            }
        }
    }

    extension HTTP.Response {
        /// The same response in the type of Backstop.
        ///
        /// - Parameters:
        ///   - response: Status and fields. The reason phrase is lost.
        ///   - body: The content. Default: none.
        ///   - trailers: The fields after the content. Default: none.
        ///   - url: Where it came from. Default: nil.
        /// - Throws: `TransportError` with `.badResponse` for a value that is not UTF-8.
        public init(
            _ response: HTTPResponse, body: Data = Data(), trailers: HTTPFields = HTTPFields(), url: URL? = nil
        ) throws(TransportError) {
            do {
                self.init(
                    status: response.status.code, headers: try HTTP.Headers(response.headerFields), body: body,
                    url: url)
                if !trailers.isEmpty {
                    self.trailers = try HTTP.Headers(trailers)
                }
            } catch {
                throw TransportError(.badResponse, phase: .receiving, detail: error.detail, underlying: error)
            }
        }
    }
#endif
