/// Finds values that a service echoes next to the name of their field, to say what it does not accept:
/// `{"field":"password","rejectedValue":"hunter2"}`, `{"loc":["body","pin"],"input":"1234"}`; and those in pairs of name
/// and value, `["X-Api-Key","7f3a"]`, and after options, `["--token","7f3a"]`.
///
/// One pass over the bytes; it finds less in malformed text.
struct JSONEchoes {
    let names: SensitiveNames
    let json: JSONBytes

    /// Keys, in lower case and without separators, whose value is a name.
    private static let naming: Set<String> = [
        "field", "fieldname", "name", "key", "property", "propertyname", "param", "parameter", "path", "pointer", "loc",
        "location", "attribute", "header", "member", "k", "id", "instancepath", "datapath", "variable", "setting",
        "option",
    ]

    /// Keys whose value is the echoed input.
    private static let given: Set<String> = [
        "value", "rejectedvalue", "attemptedvalue", "invalidvalue", "actualvalue", "currentvalue", "input", "given",
        "received", "actual", "provided", "v", "val", "content", "data", "rejected", "submitted", "invalid",
    ]

    /// How much of a value is read for a name.
    private static let nameLimit = 200

    /// How deep objects are followed, and how many echoed values of one are kept until their name is known.
    private static let depthLimit = 1000
    private static let givenLimit = 100

    /// The state of an object that is not closed yet.
    private struct OpenObject {
        /// Whether one of its members names a secret.
        var namesSecret = false
        /// The echoed values whose name is not known yet.
        var given: [Range<Int>] = []
    }

    /// The values that overlap a part of the bytes, in order.
    func values(in part: Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        // The first is for values outside all objects, as in truncated text.
        var open = [OpenObject()]
        var tooDeep = 0
        var position = 0
        // Whether the last sign was that which opens an array.
        var opensArray = false
        // A name may follow the value.
        let end = min(json.count, part.upperBound + Self.nameLimit)
        while position < end {
            switch json.bytes[position] {
            case JSONBytes.openBrace:
                if open.count < Self.depthLimit { open.append(OpenObject()) } else { tooDeep += 1 }
                position += 1
            case JSONBytes.closeBrace:
                if tooDeep > 0 { tooDeep -= 1 } else if open.count > 1 { open.removeLast() }
                position += 1
            case JSONBytes.quote:
                let (quote, _) = json.endOfString(from: position + 1)
                let colon = json.skippingSpace(from: quote + 1)
                let key = (position + 1)..<max(min(quote, json.count), position + 1)
                position = min(quote, json.count) + 1
                let isFirst = opensArray
                opensArray = false
                guard json.byte(at: colon) == JSONBytes.colon else {
                    if let value = partner(of: key, isFirst, behind: colon) { found.append(value) }
                    continue
                }
                position = json.skippingSpace(from: colon + 1)
                read(key, valueAt: position, &open[open.count - 1], &found)
            case let byte:
                if !JSONBytes.isSpace(byte) { opensArray = byte == JSONBytes.openBracket }
                position += 1
            }
        }
        return found.filter { $0.upperBound > part.lowerBound && $0.lowerBound < part.upperBound }
            .sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The value behind an element of an array that names a secret: the other of a pair, or what follows an option.
    private func partner(of name: Range<Int>, _ isFirst: Bool, behind end: Int) -> Range<Int>? {
        guard name.count <= Self.nameLimit, json.byte(at: end) == JSONBytes.comma else { return nil }
        let isOption = json.byte(at: name.lowerBound) == 0x2D
        guard isFirst || isOption, names.match(UnsafeRawBufferPointer(rebasing: json.bytes[name])),
            let value = value(at: json.skippingSpace(from: end + 1))
        else { return nil }
        let next = json.byte(at: json.skippingSpace(from: value.upperBound))
        return isOption || next == nil || next == JSONBytes.closeBracket ? value : nil
    }

    private func read(_ key: Range<Int>, valueAt start: Int, _ object: inout OpenObject, _ found: inout [Range<Int>]) {
        guard key.count <= 20 else { return }
        let letters = json.bytes[key].filter { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
        let name = String(decoding: letters, as: UTF8.self).lowercased()
        if Self.naming.contains(name) {
            guard namesSecret(at: start), !object.namesSecret else { return }
            object.namesSecret = true
            found += object.given
            object.given = []
        } else if Self.given.contains(name), let value = value(at: start) {
            if object.namesSecret {
                found.append(value)
            } else if object.given.count < Self.givenLimit {
                object.given.append(value)
            }
        }
    }

    /// Whether a string, or one in a list of strings, is the name of a secret: `password`, `#/user/password`,
    /// `user.pin`.
    private func namesSecret(at start: Int) -> Bool {
        guard let first = json.byte(at: start), first == JSONBytes.quote || first == JSONBytes.openBracket else {
            return false
        }
        let isList = first == JSONBytes.openBracket
        var position = isList ? start + 1 : start
        let limit = min(json.count, start + Self.nameLimit)
        while position < limit, let byte = json.byte(at: position), byte != JSONBytes.closeBracket {
            guard byte == JSONBytes.quote else {
                position += 1
                continue
            }
            let end = min(json.endOfString(from: position + 1).end, limit)
            let text = UnsafeRawBufferPointer(rebasing: json.bytes[(position + 1)..<max(end, position + 1)])
            if names.match(text) { return true }
            guard isList else { return false }
            position = end + 1
        }
        return false
    }

    /// The range of a string or number; nil for objects, lists, and values that are not secret.
    private func value(at start: Int) -> Range<Int>? {
        switch json.byte(at: start) {
        case JSONBytes.quote:
            return start..<min(json.endOfString(from: start + 1).end + 1, json.count)
        case let byte? where byte == 0x2D || (0x30...0x39).contains(byte):
            var end = start
            while let byte = json.byte(at: end), Self.isOfNumber(byte) { end += 1 }
            return start..<end
        default:
            return nil
        }
    }

    /// Whether a byte may be part of a number; it ends before quotes, so that no byte is read for two keys.
    private static func isOfNumber(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }
}
