internal import Backstop
internal import BackstopCore
internal import BackstopGraphQL
internal import BackstopStreams
internal import BackstopTransfers
internal import Foundation

/// What a server sends in a stream of results, whatever carries it.
enum ResultFrame: Sendable {
    /// A GraphQL response, or an increment of one; with errors that came beside it.
    case response(Data, beside: [GraphQL.Error] = [])
    /// Nothing follows, because of these errors (the JSON has a member `errors`).
    case refusal(Data)
    /// Nothing follows.
    case complete

    /// The response in it; nil for the end.
    var body: Data? {
        switch self {
        case .response(let body, _), .refusal(let body): body
        case .complete: nil
        }
    }
}

/// Frames in the parts of a `multipart/mixed` response; its closing boundary is the end.
struct MultipartFrames: StreamParser {
    private var parts: MultipartParser
    /// Whether each part is an envelope of Apollo's protocol for subscriptions.
    private let hasEnvelopes: Bool
    /// Whether the server has said that nothing follows.
    private var isOver = false

    init(_ head: HTTP.Response, hasEnvelopes: Bool) throws {
        parts = try MultipartParser(head)
        self.hasEnvelopes = hasEnvelopes
    }

    var isComplete: Bool { isOver || parts.isComplete }

    mutating func parse(_ chunk: Data, _ put: (ResultFrame) -> Void) throws {
        var contents: [Data] = []
        let malformed = Result { try parts.parse(chunk) { contents.append($0) } }
        for content in contents where !isOver {
            try take(content, put)
        }
        if !isOver {
            try malformed.get()
        }
        if parts.isComplete, !isOver {
            isOver = true
            put(.complete)
        }
    }

    mutating func end(_ put: (ResultFrame) -> Void) throws {
        if !isOver {
            try parts.end { _ in }
        }
    }

    private mutating func take(_ content: Data, _ put: (ResultFrame) -> Void) throws {
        let isJSON = content.withUnsafeBytes { JSONScan.firstProblem(in: $0) } == nil
        let members = content.withUnsafeBytes { bytes in
            JSONScan.topLevelMembers(["payload", "errors", "data"], in: bytes)
        }
        guard isJSON, let members else {
            // Whoever reads it says what is wrong.
            return put(.response(content))
        }
        let isEmpty = content.allSatisfy { $0 == 0x7B || $0 == 0x7D || MultipartParser.isSpace($0) }
        guard hasEnvelopes, !isEmpty else {
            // An empty object is a heartbeat.
            return isEmpty ? () : put(.response(content))
        }
        switch members["payload"].map({ content[$0] }) {
        case nil where members["data"] != nil || members["errors"] != nil:
            put(.response(content))
        case nil:
            throw DecodingFailure(
                DecodingError.keyNotFound(Key.payload, .init(codingPath: [], debugDescription: "")),
                decoding: JSONValue.self, from: content, contentType: nil)
        case let payload? where !payload.elementsEqual("null".utf8):
            let response = HTTP.Response(status: 200, body: content)
            put(.response(Data(payload), beside: members["errors"] == nil ? [] : ResponseRule.errors(in: response)))
        case _? where members["errors"] != nil:
            isOver = true
            put(.refusal(content))
        default:
            // Apollo Router writes so before its closing boundary, which is the end.
            break
        }
    }

    private enum Key: String, CodingKey {
        case payload
    }
}

/// Frames as server-sent events, by the protocol GraphQL over Server-Sent Events in its mode of distinct connections:
/// `next`, also without a name, and `complete`; `error`, which ends it as well.
struct EventFrames: StreamParser {
    private var events = StreamFormat<ServerEvent>.typedParser(longest: MultipartParser.longestPart)
    private(set) var isComplete = false

    mutating func parse(_ chunk: Data, _ put: (ResultFrame) -> Void) throws {
        var arrived: [ServerEvent] = []
        defer {
            for event in arrived where !isComplete {
                switch event.type {
                // An event without a name is a message.
                case "next", "message":
                    put(.response(Data(event.data.utf8)))
                case "complete":
                    isComplete = true
                    put(.complete)
                case "error":
                    isComplete = true
                    put(.refusal(Self.errors(in: event.data)))
                default:
                    break
                }
            }
        }
        try events.parse(chunk) { arrived.append($0) }
    }

    mutating func end(_ put: (ResultFrame) -> Void) throws {
        guard isComplete else {
            throw TransportError(
                .truncated, phase: .receiving, detail: "The response ended before its event \"complete\"")
        }
    }

    /// A response with the errors of an event, which may be one, a list, a single error, or a text.
    private static func errors(in text: String) -> Data {
        let data = Data(text.utf8)
        let isJSON = data.withUnsafeBytes { JSONScan.firstProblem(in: $0) } == nil
        if isJSON, data.withUnsafeBytes({ JSONScan.hasTopLevelKeys(["errors"], in: $0) }) {
            return data
        }
        return Data("{\"errors\":\(isJSON ? text : text.isEmpty ? "null" : JSONWriter.quoted(text))}".utf8)
    }
}

/// Frames as JSON, one on each line, from a transport that itself sees to it that nothing is missing. In one that is no
/// JSON, NUL stands for a line break.
struct LineFrames: StreamParser {
    private var lines: any StreamParser<String>

    init(_ head: HTTP.Response) throws {
        lines = try StreamFormat.lines(longest: .max).parser(head)
    }

    mutating func parse(_ chunk: Data, _ put: (ResultFrame) -> Void) throws {
        try lines.parse(chunk) { put(.response(Self.body($0))) }
    }

    mutating func end(_ put: (ResultFrame) -> Void) throws {
        try lines.end { put(.response(Self.body($0))) }
        put(.complete)
    }

    private static func body(_ line: String) -> Data {
        var body = Data(line.utf8)
        body.withUnsafeMutableBytes { bytes in
            for index in bytes.indices where bytes[index] == 0 {
                bytes[index] = 0x0A
            }
        }
        return body
    }
}

/// The one frame of a plain response.
struct WholeFrame: StreamParser {
    private var body = Data()

    mutating func parse(_ chunk: Data, _ put: (ResultFrame) -> Void) throws {
        guard body.count + chunk.count <= MultipartParser.longestPart else {
            throw TransportError(
                .tooLarge, phase: .receiving,
                detail: "The only part of the response has more than the \(MultipartParser.longestPart) bytes accepted")
        }
        body.append(chunk)
    }

    mutating func end(_ put: (ResultFrame) -> Void) throws {
        put(.response(body))
        put(.complete)
    }
}
