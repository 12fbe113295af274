public import Backstop
internal import BackstopCore
public import Foundation

/// What the elements of a stream are, and how they are made of its bytes.
///
/// ``chunks``, ``lines`` and ``jsonLines(of:longest:decoder:)`` are ready. For one of your own, write a ``StreamParser``:
///
/// ```swift
/// /// Numbers of two bytes each.
/// struct Samples: StreamParser {
///     var rest = Data()
///
///     mutating func parse(_ chunk: Data, _ put: (UInt16) -> Void) throws {
///         rest += chunk
///         while rest.count > 1 {
///             put(UInt16(rest.removeFirst()) << 8 | UInt16(rest.removeFirst()))
///         }
///     }
///
///     mutating func end(_ put: (UInt16) -> Void) throws {
///         if !rest.isEmpty {
///             throw CocoaError(.fileReadCorruptFile)
///         }
///     }
/// }
///
/// let samples = StreamFormat<UInt16>(accept: "application/octet-stream") { _ in Samples() }
/// ```
public struct StreamFormat<Element: Sendable>: Sendable {
    /// What to ask the server for (`Accept`, RFC 9110, 12.5.1), unless the request does; nil for nothing.
    public let accept: String?
    /// Makes the parser of a response, which has no body yet; it may throw to refuse the response.
    public let parser: @Sendable (HTTP.Response) throws -> any StreamParser<Element>
    /// Makes what knows how one stream goes on after the end of a call; nil if none does.
    let makeSeries: (@Sendable () -> any StreamSeries<Element>)?

    /// Makes a format.
    public init(
        accept: String? = nil, parser: @escaping @Sendable (HTTP.Response) throws -> any StreamParser<Element>
    ) {
        self.accept = accept
        self.parser = parser
        makeSeries = nil
    }

    /// Makes a format whose streams go on after the end of a call.
    package init(accept: String?, series: @escaping @Sendable () -> any StreamSeries<Element>) {
        self.accept = accept
        parser = { try series().parser($0) }
        makeSeries = series
    }
}

/// How one stream goes on after the end of a call.
package protocol StreamSeries<Element>: CallSeries {
    /// What the elements are.
    associatedtype Element: Sendable

    /// Makes the parser of a response.
    @Sendable func parser(_ head: HTTP.Response) throws -> any StreamParser<Element>
}

/// Makes elements of the bytes of a stream, however these are split.
///
/// It runs within the call, so what it throws is the call's failure, which log, breaker and handlers see. Bound what it
/// keeps: a server chooses how long a line is.
public protocol StreamParser<Element>: Sendable {
    /// What is made.
    associatedtype Element: Sendable

    /// Takes some bytes, at least one.
    ///
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - put: Hands an element over.
    /// - Throws: When they are not what they should be; the elements put before are still handed over.
    mutating func parse(_ chunk: Data, _ put: (Element) -> Void) throws

    /// Takes the end of the body.
    ///
    /// - Throws: When something is missing.
    mutating func end(_ put: (Element) -> Void) throws

    /// Whether what has come is all, by an end mark in it: the rest of the body is not read, and its connection is
    /// closed. Default: false, the body's own end is meant.
    var isComplete: Bool { get }
}

extension StreamParser {
    /// False.
    public var isComplete: Bool { false }
}

extension StreamFormat where Element == Data {
    /// The bytes as they arrive, in parts of any size.
    public static var chunks: StreamFormat {
        StreamFormat { _ in Chunks() }
    }
}

private struct Chunks: StreamParser {
    mutating func parse(_ chunk: Data, _ put: (Data) -> Void) {
        put(chunk)
    }

    mutating func end(_ put: (Data) -> Void) {}
}

extension StreamFormat where Element == String {
    /// Lines of text in UTF-8, without their ends, which are LF or CRLF; up to 1 MiB each.
    public static var lines: StreamFormat {
        lines(longest: Lines.standardLength)
    }

    /// The same with another bound, clamped to at least 1 byte.
    ///
    /// What is not UTF-8 becomes U+FFFD. The last line may have no end.
    ///
    /// - Parameter longest: How many bytes a line may have; a longer one is `transport.tooLarge`.
    public static func lines(longest: Int) -> StreamFormat {
        StreamFormat { _ in TextLines(lines: Lines(longest: longest)) }
    }
}

private struct TextLines: StreamParser {
    var lines: Lines
    var isFirst = true

    mutating func parse(_ chunk: Data, _ put: (String) -> Void) throws {
        var isFirst = isFirst
        try lines.parse(chunk) { put(Self.text(of: $0, &isFirst)) }
        self.isFirst = isFirst
    }

    mutating func end(_ put: (String) -> Void) throws {
        var isFirst = isFirst
        lines.end { put(Self.text(of: $0, &isFirst)) }
    }

    /// A line, without the byte order mark that the first one may begin with.
    private static func text(of line: Data, _ isFirst: inout Bool) -> String {
        defer { isFirst = false }
        let isMarked = isFirst && line.starts(with: [0xEF, 0xBB, 0xBF])
        return String(decoding: isMarked ? line.dropFirst(3) : line, as: UTF8.self)
    }
}

extension StreamFormat where Element: Decodable {
    /// A JSON value on each line (JSON Lines, NDJSON); empty lines are skipped.
    ///
    /// A line that is none, or no such value, is a `DecodingFailure`, which says in which line;
    /// `failure.transfer` says how many values came before it.
    ///
    /// - Parameters:
    ///   - type: The type of each value.
    ///   - longest: How many bytes a line may have, clamped to at least 1; a longer one is `transport.tooLarge`.
    ///     Default: 1 MiB.
    ///   - decoder: Decodes them; nil for the client's, else one with default settings.
    public static func jsonLines(
        of type: Element.Type = Element.self, longest: Int = 1 << 20, decoder: JSONDecoder? = nil
    ) -> StreamFormat {
        StreamFormat(accept: "application/jsonl, application/x-ndjson, */*;q=0.1") { _ in
            JSONLines<Element>(
                lines: Lines(longest: longest), decoder: decoder ?? JSONCoding.current.decoder ?? JSONDecoder())
        }
    }
}

private struct JSONLines<Element: Decodable & Sendable>: StreamParser {
    var lines: Lines
    let reading: JSONBody.Reading<Element>
    /// How many lines there were.
    private var count = 0

    init(lines: Lines, decoder: JSONDecoder) {
        self.lines = lines
        reading = JSONBody.Reading(decoder)
    }

    mutating func parse(_ chunk: Data, _ put: (Element) -> Void) throws {
        var line = count
        defer { count = line }
        try reading.run {
            try lines.parse(chunk) { [reading] bytes in try Self.value(of: bytes, &line, reading, put) }
        }
    }

    mutating func end(_ put: (Element) -> Void) throws {
        var line = count
        defer { count = line }
        try reading.run {
            try lines.end { [reading] bytes in try Self.value(of: bytes, &line, reading, put) }
        }
    }

    private static func value(
        of bytes: Data, _ line: inout Int, _ reading: JSONBody.Reading<Element>, _ put: (Element) -> Void
    ) throws {
        line += 1
        // The white space of JSON (RFC 8259, 2).
        guard !bytes.withUnsafeBytes({ $0.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }) else {
            return
        }
        do {
            put(try reading.decode(bytes))
        } catch {
            throw DecodingFailure(error, decoding: Element.self, from: bytes, contentType: nil).ofLine(line)
        }
    }
}
