internal import Foundation

/// A message of the protocol graphql-transport-ws, as this side sends it, or the request that stands for it.
enum ClientMessage: Sendable {
    /// The first of a connection; with a JSON object, or nil for none.
    case initialize(Data?)
    /// Begins an operation: the JSON object that would be the body of a request.
    case subscribe(UInt64, Data)
    /// Ends an operation.
    case complete(UInt64)
    /// Asks whether the server is there.
    case ping
    /// Answers a ping, with its payload.
    case pong(Data?)

    /// About how many bytes it has.
    var size: Int {
        // Type and id.
        32 + (members.payload?.count ?? 0)
    }

    /// The message as JSON.
    var json: Data {
        let (type, id, payload) = members
        var json = Data(#"{"type":"\#(type)""#.utf8)
        if let id {
            json.append(contentsOf: #","id":"\#(id)""#.utf8)
        }
        if let payload {
            json.append(contentsOf: #","payload":"#.utf8)
            json.append(payload)
        }
        json.append(UInt8(ascii: "}"))
        return json
    }

    private var members: (type: String, id: UInt64?, payload: Data?) {
        switch self {
        case .initialize(let payload): ("connection_init", nil, payload)
        case .subscribe(let id, let body): ("subscribe", id, body)
        case .complete(let id): ("complete", id, nil)
        case .ping: ("ping", nil, nil)
        case .pong(let payload): ("pong", nil, payload)
        }
    }
}
