internal import BackstopCore
internal import BackstopStreams
internal import Foundation

/// Makes events of bytes (WHATWG HTML, 9.2.6).
struct EventParser: StreamParser {
    // The names of fields, made once: a stream may have a million lines.
    private static let dataField = Data("data".utf8)
    private static let eventField = Data("event".utf8)
    private static let idField = Data("id".utf8)
    private static let retryField = Data("retry".utf8)

    /// What has been learned of the stream, for the next call.
    private let memory: EventMemory
    /// How many bytes an event may have.
    private let longest: Int
    /// Whether an event without data is none, as for browsers.
    private let isDataNeeded: Bool
    private var line = Data()
    private var isStart = true
    /// Whether the last byte was a CR: an LF that follows belongs to it.
    private var endedWithCR = false
    private var data: Data?
    private var type = Data()
    private var id: String

    init(longest: Int, memory: EventMemory, isDataNeeded: Bool = true) {
        self.longest = longest
        self.isDataNeeded = isDataNeeded
        self.memory = memory
        id = memory.lastID
    }

    mutating func parse(_ chunk: Data, _ put: (ServerEvent) -> Void) throws {
        var start = chunk.startIndex
        while start < chunk.endIndex {
            if endedWithCR {
                endedWithCR = false
                if chunk[start] == 0x0A {
                    start += 1
                    continue
                }
            }
            guard let end = chunk[start...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
                try check(chunk.endIndex - start)
                line.append(chunk[start...])
                return
            }
            try check(end - start)
            line.append(chunk[start..<end])
            endedWithCR = chunk[end] == 0x0D
            start = end + 1
            takeLine(put)
        }
    }

    /// An event without its blank line is dropped, and its id not remembered.
    mutating func end(_ put: (ServerEvent) -> Void) throws {}

    private func check(_ count: Int) throws {
        guard line.count + count + (data?.count ?? 0) <= longest else {
            throw TransportError(
                .tooLarge, phase: .receiving,
                detail:
                    "An event of the stream has more than the \(longest == 1 ? "1 byte" : "\(longest) bytes") accepted"
            )
        }
    }

    private mutating func takeLine(_ put: (ServerEvent) -> Void) {
        if isStart {
            isStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) {
                line.removeFirst(3)
            }
        }
        defer { line.removeAll(keepingCapacity: line.count < 4096) }
        guard !line.isEmpty else {
            return dispatch(put)
        }
        let colon = line.firstIndex(of: 0x3A) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == 0x20 {
            value = value.dropFirst()
        }
        switch line[..<colon] {
        case Self.dataField:
            if data == nil {
                data = Data()
            } else {
                data?.append(0x0A)
            }
            data?.append(value)
        case Self.eventField:
            type = Data(value)
        case Self.idField where !value.contains(0):
            id = String(decoding: value, as: UTF8.self)
        case Self.retryField where !value.isEmpty && value.allSatisfy { (0x30...0x39).contains($0) }:
            memory.noteRetry(milliseconds: Int64(String(decoding: value, as: UTF8.self)) ?? .max)
        default:
            break
        }
    }

    private mutating func dispatch(_ put: (ServerEvent) -> Void) {
        memory.noteID(id)
        if let data = data ?? (isDataNeeded || type.isEmpty ? nil : Data()) {
            memory.noteEvent()
            put(
                ServerEvent(
                    type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
                    data: String(decoding: data, as: UTF8.self), id: id))
        }
        data = nil
        type = Data()
    }
}
