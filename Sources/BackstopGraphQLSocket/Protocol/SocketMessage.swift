internal import BackstopCore
internal import Foundation

/// A message of the protocol graphql-transport-ws, or an event that stands for it, as a server sends it.
enum SocketMessage: Equatable {
    /// The connection is acknowledged.
    case acknowledged
    /// The server asks for a pong; its payload, as JSON, goes back.
    case ping(Data?)
    case pong
    /// A result of an operation, on one line if it is JSON.
    case next(id: String, Data)
    /// The errors of an operation that was not executed, on one line if they are JSON. It is over.
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
    /// - Parameter type: Its type, from what carried it; nil if the message has it.
    /// - Throws: ``Fault`` for one that is not JSON, or none of the protocol.
    init(_ message: Data, type: String? = nil) throws(Fault) {
        self = try message.withUnsafeBytes { bytes in
            Result { () throws(Fault) in try Self.read(bytes, type) }
        }.get()
    }

    private static func read(_ bytes: UnsafeRawBufferPointer, _ type: String?) throws(Fault) -> SocketMessage {
        let members: Members
        do throws(JSONReader.Fault) {
            members = try Self.members(of: bytes, Members(type: type))
        } catch {
            throw Fault(detail: "The server sent a message over the socket that is not JSON: \(error.message)")
        }
        func fault(_ detail: String) -> Fault { Fault(detail: detail, id: members.id) }
        guard let type = members.type else {
            throw fault("The server sent a message over the socket that is no object with a type")
        }
        let isResult = type == "next" || type == "error"
        if let problem = members.payloadFault, !isResult {
            throw fault("The server sent a message over the socket that is not JSON: \(problem.message)")
        }
        // What is wrong inside of a result, whoever reads it says, as for any response.
        let payload = members.payload.map { range in
            members.payloadFault == nil ? Self.onOneLine(bytes[range]) : Data(bytes[range])
        }
        switch type {
        case "connection_ack": return .acknowledged
        case "ping": return .ping(payload)
        case "pong": return .pong
        case "next":
            guard let id = members.id, let payload, payload.first == UInt8(ascii: "{") else {
                throw fault(
                    "The server sent a result over the socket without an id, or without an object as its payload")
            }
            return .next(id: id, payload)
        case "error":
            guard let id = members.id, let payload, payload.first == UInt8(ascii: "[") else {
                throw fault(
                    "The server sent errors over the socket without an id, or without a list as their payload")
            }
            return .errors(id: id, payload)
        case "complete":
            guard let id = members.id else {
                throw fault("The server sent the end of an operation over the socket without an id")
            }
            return .complete(id: id)
        default:
            throw fault("The server sent a message over the socket of the unknown type \(Redaction.quoted(type))")
        }
    }

    /// Reads the whole message, so that one which is not JSON is noticed wherever it is wrong. Of members with the same
    /// key, the first counts, and before all of them what is known already.
    private static func members(
        of bytes: UnsafeRawBufferPointer, _ known: Members
    ) throws(JSONReader.Fault) -> Members {
        var reader = JSONReader(bytes)
        var members = known
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

    /// A copy without line breaks. In JSON, they are only between tokens (RFC 8259, 7), where a space means the same.
    private static func onOneLine(_ bytes: Slice<UnsafeRawBufferPointer>) -> Data {
        var copy = Data(bytes)
        if bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            copy.withUnsafeMutableBytes { copy in
                for index in copy.indices where copy[index] == 0x0A || copy[index] == 0x0D {
                    copy[index] = 0x20
                }
            }
        }
        return copy
    }
}
