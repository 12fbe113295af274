internal import BackstopCore
internal import Foundation

/// The endpoint behind one-liners such as `client.get("books", as: [Book].self)`.
struct JSONCall<Value: Decodable & Sendable>: JSONEndpoint {
    typealias Content = Value
    typealias Root = Value

    let name: String
    let make: @Sendable () throws -> HTTP.Request

    func makeRequest() throws -> HTTP.Request {
        var request = try make()
        if request.headers[.accept] == nil {
            request.headers[.accept] = "application/json"
        }
        return request
    }
}

/// The endpoint behind one-liners whose answer's body is of no interest.
struct PlainCall: Endpoint {
    let name: String
    let make: @Sendable () throws -> HTTP.Request

    func makeRequest() throws -> HTTP.Request {
        try make()
    }

    func content(from response: HTTP.Response) throws -> HTTP.Response {
        response
    }
}
