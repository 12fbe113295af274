// Elements of XML and HTML.
extension SecretScan {
    /// Handles what follows `<`: if it is the name of a secret, hides all text and all attributes in the element.
    ///
    /// An element without an end tag ends with what it is in: another one, a string of JSON, or the text.
    mutating func element() {
        let name = tagName(at: position)
        guard position >= elementEnd, !name.isEmpty, names.reach(of: Array(bytes[name])) == .everything else { return }
        if position >= stringEnd { stringEnd = endOfString() }
        guard let tag = tag(behind: name) else { return }
        guard !tag.isEmpty else { return tag.values.forEach { hide($0) } }
        var open = [name]
        var place = tag.end
        while place < stringEnd, !open.isEmpty {
            let start = place
            if bytes[start] != 0x3C {
                place = hideText(from: start, upTo: start)
            } else if let content = section("<![CDATA[", "]]>", at: start) ?? section("<!--", "-->", at: start) {
                hideText(content)
                place = min(content.upperBound + 3, stringEnd)
            } else if let end = endTagName(at: start) {
                // One that belongs to nothing in here ends what the element is in.
                guard let ended = open.lastIndex(where: { bytes[$0].elementsEqual(bytes[end]) }) else { break }
                open.removeSubrange(ended...)
                place = min(endOfRun(from: end.upperBound) { $0 != 0x3E } + 1, stringEnd)
            } else if case let inner = tagName(at: start + 1), !inner.isEmpty, let tag = self.tag(behind: inner) {
                tag.values.forEach { hide($0) }
                if !tag.isEmpty { open.append(inner) }
                place = tag.end
            } else {
                place = hideText(from: start, upTo: start + 1)
            }
        }
        elementEnd = place
    }

    /// Hides text up to the next `<` from a place on.
    ///
    /// - Returns: Where that is.
    private mutating func hideText(from start: Int, upTo place: Int) -> Int {
        let end = min(endOfRun(from: place) { $0 != 0x3C }, stringEnd)
        hideText(start..<end)
        return end
    }

    private mutating func hideText(_ text: Range<Int>) {
        if bytes[text].contains(where: { $0 > 0x20 }) { hide(text) }
    }

    private func tagName(at start: Int) -> Range<Int> {
        guard let first = byte(start), (0x61...0x7A).contains(first | 0x20) else { return start..<start }
        return start..<endOfRun(from: start, limit: SecretScan.nameLimit) { SecretScan.isWord($0) || $0 == 0x3A }
    }

    /// The name in an end tag; nil if it is none. Some JSON writers put a backslash before each slash.
    private func endTagName(at start: Int) -> Range<Int>? {
        let slash = endOfRun(from: start + 1) { $0 == JSONBytes.backslash }
        return byte(slash) == 0x2F ? tagName(at: slash + 1) : nil
    }

    /// Where a start tag ends, whether it is an element by itself, and the values of its attributes; nil if it is no tag.
    private func tag(behind name: Range<Int>) -> (end: Int, isEmpty: Bool, values: [Range<Int>])? {
        var values: [Range<Int>] = []
        var place = name.upperBound
        var isValue = false
        while place < stringEnd {
            let byte = bytes[place]
            place += 1
            switch byte {
            case 0x3E: return (place, bytes[place - 2] == 0x2F, values)
            case 0x3C: return nil
            case JSONBytes.quote where isValue, 0x27 where isValue:
                let end = min(endOfRun(from: place) { $0 != byte }, stringEnd)
                values.append(place..<max(place, end - backslashes(before: end)))
                place = min(end + 1, stringEnd)
                isValue = false
            default: isValue = byte == 0x3D || isValue && (JSONBytes.isSpace(byte) || byte == JSONBytes.backslash)
            }
        }
        // It was cut off.
        return values.isEmpty ? nil : (place, false, values)
    }

    /// The content of what begins and ends with these; nil if it does not begin so.
    private func section(_ begin: StaticString, _ end: StaticString, at start: Int) -> Range<Int>? {
        func stands(_ sign: StaticString, at place: Int) -> Bool {
            sign.withUTF8Buffer { bytes[place..<stringEnd].starts(with: $0) }
        }
        guard stands(begin, at: start) else { return nil }
        let content = start + begin.utf8CodeUnitCount
        var place = content
        while place < stringEnd, !stands(end, at: place) { place += 1 }
        return content..<place
    }

    /// The end of the string of JSON that an element is in: the next quote with as many backslashes as the one before
    /// it, or fewer. The end of all for anything but JSON.
    private func endOfString() -> Int {
        guard let first = bytes.prefix(64).first(where: { !JSONBytes.isSpace($0) }),
            first == JSONBytes.openBrace || first == JSONBytes.openBracket, keyStart > 0
        else {
            return bytes.count
        }
        let depth = backslashes(before: keyStart - 1)
        var place = position
        while place < bytes.count, bytes[place] != JSONBytes.quote || backslashes(before: place) > depth { place += 1 }
        return place
    }
}
