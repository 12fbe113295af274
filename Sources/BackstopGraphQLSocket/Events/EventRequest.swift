internal import Backstop
internal import BackstopGraphQL
internal import Foundation

/// A request of the protocol GraphQL over Server-Sent Events in its mode of a single connection.
enum EventRequest {
    /// Asks for a token.
    case reservation
    /// Opens the stream of events.
    case events
    /// Begins an operation: the JSON object that would be the body of a request.
    case operation(UInt64, Data)
    /// Ends an operation.
    case end(UInt64)

    /// The field with the token, which each request has but the first.
    static let tokenName: HTTP.Headers.Name = "X-GraphQL-Event-Stream-Token"

    /// The call that makes it.
    ///
    /// - Parameters:
    ///   - url: Where the server is.
    ///   - headers: The fields of all requests.
    ///   - token: The token; nil for the reservation.
    func call(to url: URL, _ headers: HTTP.Headers, token: String?) -> HTTP.Call<HTTP.Response> {
        var headers = headers
        headers[Self.tokenName] = token
        // Servers compare these as they are, without a choice.
        switch self {
        case .reservation:
            headers[.accept] = "text/plain"
            return HTTP.Call(.put, url, headers: headers)
        case .events:
            headers[.accept] = "text/event-stream"
            return HTTP.Call(.get, url, headers: headers)
        case .operation(let id, let body):
            headers[.accept] = "application/json"
            headers[.contentType] = "application/json"
            return HTTP.Call(.post, url, headers: headers, body: .data(Self.body(body, id)))
        case .end(let id):
            return HTTP.Call(.delete, url, query: ["operationId": "\(id)"], headers: headers)
        }
    }

    /// An operation with its id among the extensions.
    private static func body(_ operation: Data, _ id: UInt64) -> Data {
        var body = Data(operation)
        let member = #""operationId":"\#(id)""#
        let extensions = body.withUnsafeBytes { JSONScan.topLevelMembers(["extensions"], in: $0) }?["extensions"]
        switch extensions {
        case let extensions? where body[extensions].first == UInt8(ascii: "{"):
            body.addMember(member, to: extensions)
        case let null?:
            body.replaceSubrange(null, with: Data("{\(member)}".utf8))
        case nil:
            body.addMember(#""extensions":{\#(member)}"#, to: 0..<body.count)
        }
        return body
    }
}
