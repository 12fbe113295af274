internal import Backstop
internal import BackstopCore
internal import BackstopStreams
internal import Foundation

/// Splits a `multipart` body into the contents of its parts (RFC 2046, 5.1), each as soon as its JSON has come: some
/// servers write a boundary only with the next part. What is no object or list ends with its boundary.
///
/// Lines may end with LF alone, as some servers have it: no JSON text has the boundary on a line of its own.
struct MultipartParser: StreamParser {
    /// How many bytes a part may have.
    static let longestPart = 16 << 20
    /// How many bytes the head of a part may have, and what comes before the first.
    private static let longestHead = 16 << 10

    /// The byte order mark that some servers begin with, behind the line feed.
    private static let markedStart: [UInt8] = [0x0A, 0xEF, 0xBB, 0xBF]

    private enum Place {
        case preamble
        /// Behind a boundary, on its line.
        case boundary
        case head
        case content
        /// Behind the JSON of a part.
        case padding
        /// Behind the last boundary.
        case epilogue
    }

    private let boundary: String
    /// A line feed, two hyphens and the boundary.
    private let delimiter: [UInt8]
    private var place = Place.preamble
    /// What has come, with a line feed before the first byte, so that every boundary has one.
    private var bytes = Data([0x0A])
    /// Where the place begins.
    private var start = 0
    /// Up to where it has been looked at.
    private var seen = 0
    private var isJSON = true
    private var nesting = JSONNesting()

    /// - Throws: `TransportError` with `.badResponse` for a boundary that cannot be one.
    init(_ head: HTTP.Response) throws {
        // Apollo's protocol has one of its own.
        boundary = head.headers[.contentType].flatMap { Self.parameter("boundary", of: $0) } ?? "graphql"
        guard (1...70).contains(boundary.utf8.count) else {
            throw Self.malformed("Its boundary must have 1 to 70 characters (RFC 2046, 5.1.1)")
        }
        delimiter = [0x0A, 0x2D, 0x2D] + Array(boundary.utf8)
    }

    /// Whether the last boundary has come.
    var isComplete: Bool {
        place == .epilogue
    }

    mutating func parse(_ chunk: Data, _ put: (Data) -> Void) throws {
        bytes.append(chunk)
        if place == .preamble, bytes.starts(with: Self.markedStart) {
            (bytes, seen) = (Data([0x0A]) + bytes.dropFirst(Self.markedStart.count), 0)
        }
        while try step(put) {}
        // Once for all that a chunk has brought; what belongs to one part is not copied each time.
        if start > 0 {
            bytes = Data(bytes[start...])
            seen -= start
            start = 0
        }
    }

    mutating func end(_ put: (Data) -> Void) throws {
        if place == .preamble, !delimiter.dropFirst().starts(with: bytes.drop(while: Self.isSpace)) {
            throw Self.malformed("No part in it begins with the boundary \"\(Excerpt.printable(boundary))\"")
        }
        guard isComplete else {
            throw TransportError(
                .truncated, phase: .receiving, detail: "The response ended before its closing boundary")
        }
    }

    /// - Returns: Whether there may be more to do.
    private mutating func step(_ put: (Data) -> Void) throws -> Bool {
        switch place {
        case .preamble, .content, .padding:
            let known = seen
            let end = findEnd()
            let limit = place == .preamble ? Self.longestHead : Self.longestPart
            try check((end?.position ?? bytes.count) - start, of: limit)
            if place == .padding, !bytes[known..<seen].allSatisfy(Self.isSpace) {
                throw DecodingFailure(
                    DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "")), decoding: JSONValue.self,
                    from: Data(bytes[(start + 1)...]), contentType: nil)
            }
            guard let end else {
                return false
            }
            if place == .content {
                try put(content(to: end.position))
            }
            if end.isDelimiter {
                move(to: end.position + delimiter.count, .boundary)
            } else {
                // The part is kept, to be shown if something else follows its JSON.
                seen = end.position
                place = .padding
            }
            return true
        case .boundary:
            return try takeBoundary()
        case .head:
            return try takeHead()
        case .epilogue:
            start = bytes.count
            return false
        }
    }

    private func content(to end: Int) throws -> Data {
        // Behind the line feed of the head's last line.
        var content = bytes[min(start + 1, end)..<end]
        if content.last == 0x0D {
            content.removeLast()
        }
        guard isJSON else {
            throw Self.malformed("One of its parts is not JSON")
        }
        return Data(content)
    }

    /// What is behind a boundary: two hyphens for the last one, otherwise white space to the end of the line.
    private mutating func takeBoundary() throws -> Bool {
        guard bytes.count > start + 1 else {
            return false
        }
        if bytes[start] == 0x2D, bytes[start + 1] == 0x2D {
            move(to: bytes.count, .epilogue)
            return false
        }
        guard let end = bytes[seen...].firstIndex(of: 0x0A) else {
            try check(bytes.count - start, of: Self.longestHead)
            seen = bytes.count
            return false
        }
        guard bytes[start..<end].allSatisfy(Self.isSpace) else {
            throw Self.malformed("Its boundary is followed by other text on the same line")
        }
        move(to: end, .head)
        isJSON = true
        return true
    }

    /// A line of a part's head, from the line feed before it; an empty one is the last, unless a boundary comes.
    private mutating func takeHead() throws -> Bool {
        // Some servers end a body with a second boundary behind the last part's.
        if bytes[start...].starts(with: delimiter) {
            move(to: start + delimiter.count, .boundary)
            return true
        }
        guard let end = bytes[max(start + 1, seen)...].firstIndex(of: 0x0A) else {
            try check(bytes.count - start, of: Self.longestHead)
            seen = bytes.count
            return false
        }
        var line = bytes[(start + 1)..<end]
        if line.last == 0x0D {
            line.removeLast()
        }
        try check(line.count, of: Self.longestHead)
        note(String(decoding: line, as: UTF8.self))
        move(to: end, line.isEmpty ? .content : .head)
        nesting = JSONNesting()
        return true
    }

    private mutating func note(_ field: String) {
        let parts = field.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces).lowercased() == "content-type" else {
            return
        }
        let type = parts[1].prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        isJSON = type == "application/json" || type.hasSuffix("+json")
    }

    /// Where the next delimiter begins, or the JSON of a part has ended; a byte is looked at once or, where a delimiter may
    /// have begun, again.
    private mutating func findEnd() -> (position: Int, isDelimiter: Bool)? {
        var (position, nesting) = (seen, nesting)
        defer { (seen, self.nesting) = (position, nesting) }
        return bytes.withUnsafeBytes { [delimiter, place] bytes in
            while position < bytes.count {
                let byte = bytes[position]
                if byte == 0x0A {
                    let line = bytes[position...].prefix(delimiter.count)
                    if delimiter.starts(with: line) {
                        return line.count == delimiter.count ? (position, true) : nil
                    }
                } else if place == .content, nesting.closes(with: byte) {
                    return (position + 1, false)
                }
                position += 1
            }
            return nil
        }
    }

    private mutating func move(to position: Int, _ place: Place) {
        start = position
        seen = position
        self.place = place
    }

    /// Whether it is white space, or ends a line.
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private func check(_ count: Int, of limit: Int) throws {
        guard count <= limit else {
            throw TransportError(
                .tooLarge, phase: .receiving,
                detail: "A part of the response, or its head, has more than the \(limit) bytes accepted")
        }
    }

    private static func malformed(_ detail: String) -> TransportError {
        TransportError(.badResponse, phase: .receiving, detail: "The multipart response is malformed. \(detail)")
    }

    /// A parameter of a media type, perhaps in quotes (RFC 9110, 5.6.6); nil when there is none.
    static func parameter(_ name: String, of type: String) -> String? {
        var text = Substring(type)
        while let semicolon = text.firstIndex(of: ";") {
            text = text[text.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
            let key = text.prefix { $0 != "=" && $0 != ";" }
            guard text.dropFirst(key.count).first == "=" else {
                continue
            }
            text = text.dropFirst(key.count + 1)
            var value = ""
            if text.first == "\"" {
                text.removeFirst()
                while let character = text.popFirst(), character != "\"" {
                    value.append(character == "\\" ? text.popFirst() ?? "\\" : character)
                }
            } else {
                value = String(text.prefix { $0 != ";" }).trimmingCharacters(in: .whitespaces)
            }
            if key.lowercased() == name {
                return value
            }
        }
        return nil
    }
}

/// Finds where an object or a list ends, byte by byte; what it holds is not checked.
private struct JSONNesting {
    private var depth = 0
    private var isString = false
    private var isEscaped = false

    /// Whether this byte is the last one.
    mutating func closes(with byte: UInt8) -> Bool {
        switch byte {
        case _ where isEscaped:
            isEscaped = false
        case 0x5C where isString:
            isEscaped = true
        case 0x22:
            isString.toggle()
        case _ where isString:
            break
        case 0x5B, 0x7B:
            depth += 1
        case 0x5D, 0x7D:
            depth -= 1
            return depth == 0
        default:
            break
        }
        return false
    }
}
