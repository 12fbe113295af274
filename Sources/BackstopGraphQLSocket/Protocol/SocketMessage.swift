internal import BackstopCore
internal import Foundation

/// A message of the protocol graphql-transport-ws, as a server sends it.
enum SocketMessage: Equatable {
    /// The connection is acknowledged.
    case acknowledged
    /// The server asks for a pong; its payload, as JSON, goes back.
    case ping(Data?)
    case pong
    /// A result of an operation, on one line.
    case next(id: String, Data)
    /// The errors of an operation that was not executed, on one line. It is over.
    case errors(id: String, Data)
    /// An operation is over.
    case complete(id: String)

    /// What is wrong with a message.
    struct Fault: Error, Equatable {
        /// A sentence about "the server".
        let detail: String
        /// The id of the operation that it is about; nil if that is not known.
        var id: String?
    }

    /// The members that messages have.
    private struct Members {
        var type: String?
        var id: String?
        var payload: Range<Int>?
        /// What makes the payload no JSON; nil for nothing.
        var payloadFault: JSONReader.Fault?
    }

    /// Reads a message, in one pass over its bytes.
    ///
    /// - Throws: ``Fault`` for one that is not JSON, or none of the protocol.
    init(_ message: Data) throws(Fault) {
        self = try message.withUnsafeBytes { bytes in
            Result { () throws(Fault) in try Self.read(bytes) }
        }.get()
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> SocketMessage {
        let members: Members
        do throws(JSONReader.Fault) {
            members = try Self.members(of: bytes)
        } catch {
            throw Fault(detail: "The server sent a WebSocket message that is not JSON: \(error.message)")
        }
        func fault(_ detail: String) -> Fault { Fault(detail: detail, id: members.id) }
        guard let type = members.type else {
            throw fault("The server sent a WebSocket message that is no object with a type")
        }
        let isResult = type == "next" || type == "error"
        if let problem = members.payloadFault, !isResult {
            throw fault("The server sent a WebSocket message that is not JSON: \(problem.message)")
        }
        // What is wrong inside of a result, whoever reads it says, as for any response.
        let payload = members.payload.map { Self.onOneLine(bytes[$0], isJSON: members.payloadFault == nil) }
        switch type {
        case "connection_ack": return .acknowledged
        case "ping": return .ping(payload)
        case "pong": return .pong
        case "next":
            guard let id = members.id, let payload, payload.first == UInt8(ascii: "{") else {
                throw fault(
                    "The server sent a WebSocket message with a result, but without an id, or without an object as its payload"
                )
            }
            return .next(id: id, payload)
        case "error":
            guard let id = members.id, let payload, payload.first == UInt8(ascii: "[") else {
                throw fault(
                    "The server sent a WebSocket message with errors, but without an id, or without a list as its payload"
                )
            }
            return .errors(id: id, payload)
        case "complete":
            guard let id = members.id else {
                throw fault("The server sent a WebSocket message that ends an operation, but without an id")
            }
            return .complete(id: id)
        default:
            throw fault("The server sent a WebSocket message of the unknown type \(ServerText.quoted(type))")
        }
    }

    /// Reads the whole message, so that one which is not JSON is noticed wherever it is wrong. Of members with the same
    /// key, the first counts.
    private static func members(of bytes: UnsafeRawBufferPointer) throws(JSONReader.Fault) -> Members {
        var reader = JSONReader(bytes)
        var members = Members()
        guard try reader.next() == .beginObject else {
            while try reader.next() != .end {}
            return members
        }
        while case .key(let key, let hasEscapes) = try reader.next() {
            let name = reader.text(key, hasEscapes: hasEscapes)
            let (value, fault) = try reader.nextText()
            let text = bytes[value.lowerBound] == UInt8(ascii: "\"") ? value.dropFirst().dropLast() : nil
            switch name {
            case "type": members.type = members.type ?? text.map { reader.text($0, hasEscapes: true) }
            case "id": members.id = members.id ?? text.map { reader.text($0, hasEscapes: true) }
            case "payload" where members.payload == nil: (members.payload, members.payloadFault) = (value, fault)
            default:
                if let fault { throw fault }
            }
        }
        while try reader.next() != .end {}
        return members
    }

    /// A copy without line breaks. In JSON, they are only between tokens (RFC 8259, 7), where a space means the same; in
    /// what is none, a character takes their place that JSON does not have.
    private static func onOneLine(_ bytes: Slice<UnsafeRawBufferPointer>, isJSON: Bool) -> Data {
        var copy = Data(bytes)
        if bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            copy.withUnsafeMutableBytes { copy in
                for index in copy.indices where copy[index] == 0x0A || copy[index] == 0x0D {
                    copy[index] = isJSON ? 0x20 : 0
                }
            }
        }
        return copy
    }
}

// MARK: What is sent

extension SocketMessage {
    /// The first message of a connection.
    ///
    /// - Parameter payload: A JSON object; nil for none.
    static func initialize(_ payload: Data?) -> Data {
        message("connection_init", payload: payload)
    }

    /// Begins an operation.
    ///
    /// - Parameter body: The JSON object that would be the body of a request.
    static func subscribe(_ id: UInt64, _ body: Data) -> Data {
        message("subscribe", id: id, payload: body)
    }

    /// Ends an operation.
    static func complete(_ id: UInt64) -> Data {
        message("complete", id: id)
    }

    /// Asks whether the server is there.
    static let ping = message("ping")

    /// Answers a ping, with its payload.
    static func pong(_ payload: Data?) -> Data {
        message("pong", payload: payload)
    }

    private static func message(_ type: String, id: UInt64? = nil, payload: Data? = nil) -> Data {
        var message = Data(#"{"type":"\#(type)""#.utf8)
        if let id {
            message.append(contentsOf: #","id":"\#(id)""#.utf8)
        }
        if let payload {
            message.append(contentsOf: #","payload":"#.utf8)
            message.append(payload)
        }
        message.append(UInt8(ascii: "}"))
        return message
    }
}
