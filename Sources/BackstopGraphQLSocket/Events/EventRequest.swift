internal import Backstop
internal import BackstopCore
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

    /// What an answer means that the protocol does not have.
    ///
    /// - Parameter problem: How the server answered.
    func refusal(_ problem: String) -> Failure {
        // An operation may have been sent; before there is a stream, none was.
        let (aim, phase): (String, TransportError.Phase) =
            switch self {
            case .reservation, .events: ("", .connecting)
            case .operation: ("to begin an operation ", .receiving)
            case .end: ("to end an operation ", .receiving)
            }
        return Failure(
            TransportError(
                .badResponse, phase: phase,
                detail: "The server answered the request \(aim)for a stream of events \(problem)"))
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

extension HTTP.Response {
    /// The same without a token that the server may repeat; one of less than 16 bytes may be a part of anything.
    func without(token: String) -> HTTP.Response {
        guard token.utf8.count >= 16 else {
            return self
        }
        func scrubbed(_ bytes: Data) -> Data { bytes.replacing(Data(token.utf8), with: Data("…".utf8)) }
        return changed(self) { response in
            response.body = scrubbed(body)
            response.headers = headers.reduce(into: HTTP.Headers()) { headers, field in
                headers.addReceived(
                    String(decoding: scrubbed(Data(field.value.utf8)), as: UTF8.self), for: field.name.text)
            }
        }
    }
}
