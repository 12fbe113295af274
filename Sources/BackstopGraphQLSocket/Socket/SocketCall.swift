internal import Backstop
internal import BackstopCore
internal import Foundation

/// A request as an operation of a socket.
struct SocketCall: Sendable {
    /// The JSON object of the operation.
    let body: Data
    let key: SocketKey

    /// - Throws: `RequestError` for a request that a socket cannot carry.
    init(
        _ request: HTTP.Request, to url: SocketURL, _ initialize: GraphQL.Socket.Initialize?
    ) throws(RequestError) {
        if let refused = request.headers.refused {
            throw refused
        }
        guard let body = request.body.data, Self.isObject(body) else {
            throw RequestError(
                .invalid, "A GraphQL socket takes operations as a JSON object in the body of a POST, and this is none")
        }
        guard request.isRepeatable != nil || request.method.isIdempotent || request.idempotencyKey == nil else {
            throw RequestError(
                .invalid,
                "The request may be repeated only with its Idempotency-Key, which a GraphQL socket cannot send")
        }
        self.body = Self.withText(body)
        let isSameOrigin = url.isSameOrigin(as: request.url)
        key = SocketKey(
            payload: try Self.payload(request.headers, isSameOrigin: isSameOrigin, initialize),
            // Credentials for one origin are not sent to another, unless the app does so itself.
            headers: isSameOrigin ? SocketHeaders.sent(request.headers) : HTTP.Headers())
    }

    private static func isObject(_ body: Data) -> Bool {
        body.withUnsafeBytes { bytes in
            JSONReader(bytes).forEachChild { _, _ in false } == .beginObject && JSONScan.firstProblem(in: bytes) == nil
        }
    }

    /// The object with a member `query`, which the protocol demands ("Subscribe"): it is empty if a hash or an identifier
    /// stands for the text.
    private static func withText(_ body: Data) -> Data {
        guard !body.withUnsafeBytes({ JSONScan.hasTopLevelKeys(["query"], in: $0) }) else {
            return body
        }
        return changed(Data(body)) { $0.addMember(#""query":"""#, to: 0..<$0.count) }
    }

    private static func payload(
        _ headers: HTTP.Headers, isSameOrigin: Bool, _ initialize: GraphQL.Socket.Initialize?
    ) throws(RequestError) -> Data? {
        let members: [String: any Encodable & Sendable] =
            if let initialize {
                initialize(headers)
            } else if isSameOrigin, let value = headers[.authorization] {
                ["Authorization": value]
            } else {
                [:]
            }
        guard !members.isEmpty else {
            return nil
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let json = try members.sorted { $0.key < $1.key }.map { name, value in
                (name, String(decoding: try encoder.encode(value), as: UTF8.self))
            }
            return Data(JSONWriter.object(json).utf8)
        } catch {
            throw RequestError(
                .encoding, "The payload of the first message of a GraphQL socket could not be encoded",
                underlying: error)
        }
    }
}
