/// A target in which nothing has to be encoded, resolved or refused, as nearly all are; found in one pass.
///
/// It is either a path with a query or none, or a whole URL of `http` or `https` with a plain host and port. Anything
/// unusual, such as a segment that begins with a dot, a percent sign or a colon in a path, is left to ``RequestURL``.
struct PlainTarget {
    /// Whether it is a path below a base URL.
    let isRelative: Bool
    /// The position of the question mark in the bytes; nil when there is no query.
    private let queryMark: Int?

    /// Examines a text; nil when it has to be parsed.
    init?(_ text: String) {
        var text = text
        guard let (isRelative, queryMark) = text.withUTF8({ Self.scan($0) }) else {
            return nil
        }
        self.isRelative = isRelative
        self.queryMark = queryMark
    }

    /// The path and the query of the text, if it is relative.
    func parts(of text: String) -> (path: String, query: String?) {
        guard let queryMark else {
            return (text, nil)
        }
        let mark = text.utf8.index(text.startIndex, offsetBy: queryMark)
        return (String(text[..<mark]), String(text[text.utf8.index(after: mark)...]))
    }

    private static func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> (isRelative: Bool, queryMark: Int?)? {
        var position = 0
        let isRelative: Bool
        if let authority = afterScheme(bytes) {
            position = authority
            guard skipAuthority(bytes, &position) else {
                return nil
            }
            isRelative = false
        } else {
            isRelative = true
        }
        var before = UInt8(ascii: "/")
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                break
            case UInt8(ascii: "/"):
                // Two at the beginning would name another host.
                guard before != byte || position == start else {
                    return nil
                }
            case UInt8(ascii: "."):
                // It may be one of the segments that are resolved.
                guard before != UInt8(ascii: "/") else {
                    return nil
                }
            case UInt8(ascii: "?"):
                return isQuery(bytes[(position + 1)...]) ? (isRelative, position) : nil
            default:
                return nil
            }
            before = byte
            position += 1
        }
        return (isRelative, nil)
    }

    /// The position after `http://` or `https://`; nil when the text begins otherwise.
    private static func afterScheme(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        if bytes.starts(with: "https://".utf8) {
            return 8
        }
        return bytes.starts(with: "http://".utf8) ? 7 : nil
    }

    /// Moves behind a host of letters, digits, hyphens and dots, and a port other than 0.
    private static func skipAuthority(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Bool {
        let start = position
        while position < bytes.count, isInHost(bytes[position]) {
            position += 1
        }
        guard position > start else {
            return false
        }
        guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
            return position == bytes.count || bytes[position] == UInt8(ascii: "/")
        }
        position += 1
        var port = 0
        let digits = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]), position - digits < 5 {
            port = port * 10 + Int(bytes[position] - 0x30)
            position += 1
        }
        return (1...65_535).contains(port) && (position == bytes.count || bytes[position] == UInt8(ascii: "/"))
    }

    private static func isInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default:
            false
        }
    }

    private static func isQuery(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"),
                UInt8(ascii: "."), UInt8(ascii: "="), UInt8(ascii: "&"):
                true
            default:
                false
            }
        }
    }
}
