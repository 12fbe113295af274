internal import Backstop
internal import BackstopCore
internal import BackstopGraphQL
internal import BackstopStreams
internal import BackstopTransfers
internal import Foundation

/// What a server sends in a stream of results, whatever carries it.
enum ResultFrame: Sendable {
    /// A GraphQL response, or an increment of one.
    case response(Data)
    /// Nothing follows, because of these errors (the JSON has a member `errors`).
    case refusal(Data)
    /// Nothing follows.
    case complete
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
        defer {
            for content in contents where !isOver {
                take(content, put)
            }
            if parts.isComplete, !isOver {
                isOver = true
                put(.complete)
            }
        }
        try parts.parse(chunk) { contents.append($0) }
    }

    mutating func end(_ put: (ResultFrame) -> Void) throws {
        if !isOver {
            try parts.end { _ in }
        }
    }

    private mutating func take(_ content: Data, _ put: (ResultFrame) -> Void) {
        guard hasEnvelopes else {
            return put(.response(content))
        }
        let payload = content.withUnsafeBytes { bytes in
            JSONScan.topLevelMembers(["payload", "errors"], in: bytes)
        }
        guard let payload else {
            // Not an object: whoever reads it says so.
            return put(.response(content))
        }
        if let range = payload["payload"], !content[range].elementsEqual("null".utf8) {
            put(.response(Data(content[range])))
        } else if payload["errors"] != nil {
            isOver = true
            put(.refusal(content))
        }
        // Anything else is a heartbeat.
    }
}

/// Frames as server-sent events, by the protocol GraphQL over Server-Sent Events in its mode of distinct connections:
/// `next` and `complete`.
struct EventFrames: StreamParser {
    private var events = StreamFormat<ServerEvent>.typedParser(longest: MultipartParser.longestPart)
    private(set) var isComplete = false

    mutating func parse(_ chunk: Data, _ put: (ResultFrame) -> Void) throws {
        var arrived: [ServerEvent] = []
        defer {
            for event in arrived where !isComplete {
                switch event.type {
                case "next":
                    put(.response(Data(event.data.utf8)))
                case "complete":
                    isComplete = true
                    put(.complete)
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
}

/// Frames as JSON, one on each line, from a transport that itself sees to it that nothing is missing.
struct LineFrames: StreamParser {
    private var lines = StreamFormat.lines(longest: .max)
    private var parser: (any StreamParser<String>)?

    init(_ head: HTTP.Response) throws {
        parser = try lines.parser(head)
    }

    mutating func parse(_ chunk: Data, _ put: (ResultFrame) -> Void) throws {
        try parser?.parse(chunk) { put(.response(Data($0.utf8))) }
    }

    mutating func end(_ put: (ResultFrame) -> Void) throws {
        try parser?.end { put(.response(Data($0.utf8))) }
        put(.complete)
    }
}

/// The one frame of a plain response.
struct WholeFrame: StreamParser {
    private var body = Data()

    mutating func parse(_ chunk: Data, _ put: (ResultFrame) -> Void) throws {
        guard body.count + chunk.count <= MultipartParser.longestPart else {
            throw TransportError(
                .tooLarge, phase: .receiving,
                detail: "The response has more than the \(MultipartParser.longestPart) bytes accepted")
        }
        body.append(chunk)
    }

    mutating func end(_ put: (ResultFrame) -> Void) throws {
        put(.response(body))
        put(.complete)
    }
}
