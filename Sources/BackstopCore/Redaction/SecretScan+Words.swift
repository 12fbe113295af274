// Items and arguments that stand in any text, and user info in URLs.
extension SecretScan {
    /// A run of the bytes of names: the name of an item, a token, a scheme, or a plain word.
    mutating func word() {
        let end = endOfRun(from: position, SecretScan.isWord)
        skipEscape(before: end)
        let word = position..<end
        if word.lowerBound < everythingEnd {
            if !isHarmless(word), !isName(word) { hideNumber() }
            position = end
        } else if let shape = SecretShapes.find(in: bytes, word) {
            hide(shape)
            position = shape.upperBound
        } else if let value = itemValue(behind: word), case let reach = reach(ofItem: word), reach != .nothing {
            hideItem(at: value, reach)
        } else if hideEncoded(word) {
            position = end
        } else {
            position = end
            if word.upperBound <= documentEnd, let value = argument(behind: word),
                case let reach = names.reach(of: Array(bytes[word])), reach != .nothing
            {
                position = value
                hideMember(reach)
            }
        }
    }

    /// Skips what is an escape and no part of the word behind it: `n` or `u201c` after a backslash, and `31m` of a color.
    mutating func skipEscape(before end: Int) {
        guard position > 0 else { return }
        var next = position + 1
        switch bytes[position - 1] {
        case JSONBytes.backslash:
            let isSign = bytes[position] == 0x75 && JSONText.fourDigits(in: bytes, at: &next) != nil
            guard isSign || [0x6E, 0x72, 0x74].contains(bytes[position]) else { return }
        case JSONBytes.openBracket, 0x3B:
            next = endOfRun(from: position) { (0x30...0x39).contains($0) }
            if next == position || byte(next) != 0x6D { return }
            next += 1
        default: return
        }
        if next < end { position = next }
    }

    /// Where the value begins if a name is followed by `=`; nil if there is none.
    func itemValue(behind name: Range<Int>) -> Int? {
        let sign = byte(name.upperBound) == JSONBytes.closeBracket ? name.upperBound + 1 : name.upperBound
        // In markup and in code, there may be blanks around it, and then the value has quotes.
        let spaced = endOfRun(from: sign, JSONBytes.isSpace)
        guard byte(spaced) == 0x3D, byte(spaced + 1) != 0x3D, byte(spaced + 1) != 0x3E else { return nil }
        let value = endOfRun(from: spaced + 1, JSONBytes.isSpace)
        guard spaced > sign || value > spaced + 1 else { return value }
        if byte(value) == 0x27 || openingQuote(at: value) != nil { return value }
        return spaced > sign ? nil : sign + 1
    }

    func reach(ofItem word: Range<Int>) -> SensitiveNames.Reach {
        guard word.count <= SecretScan.nameLimit else { return .nothing }
        let name = SecretScan.decoded(Array(bytes[word]))
        let before = word.lowerBound > 0 ? bytes[word.lowerBound - 1] : 0
        // JSON may have `&` as `\u0026`, and markup as `&amp;`.
        let escape = bytes[..<word.lowerBound].suffix(5)
        let isInQuery =
            [0x3F, 0x26, 0x3B].contains(before) || ["u0026", "u003f"].contains { escape.elementsEqual($0.utf8) }
        let reach = isInQuery ? names.reach(ofItem: name) : names.reach(of: name)
        // The quotes and colons of other languages.
        return reach == .nothing && word.count > 1 && bytes[word.lowerBound] >= 0x80
            ? names.reach(of: Array(name.drop { $0 >= 0x80 })) : reach
    }

    /// Hides the value of an item in any text: up to white space, `&`, a quote or a tag.
    mutating func hideItem(at start: Int, _ reach: SensitiveNames.Reach) {
        if let quote = openingQuote(at: start) {
            let string = string(from: quote + 1, depth: SecretScan.depth(quote - start))
            hide(string.content, reach)
            position = string.end
            keyStart = position
            return
        }
        // What has spaces in it: a scheme and its credentials, a private key.
        let first = byte(start) == 0x27 ? start + 1 : start
        let word = first..<endOfRun(from: first, SecretScan.isWord)
        if let shape = SecretShapes.find(in: bytes, word), shape.upperBound > word.upperBound {
            hide(first..<shape.upperBound)
            return position = shape.upperBound
        }
        if first > start {
            position = endOfRun(from: first) { $0 != 0x27 && $0 != 0x0A }
            return hide(first..<position, reach)
        }
        var end = start
        while let byte = byte(end), byte > 0x20, ![0x26, 0x22, 0x3C, 0x3E].contains(byte), !(byte == 0x23 && isURL) {
            if byte == JSONBytes.backslash, let next = self.byte(end + 1) {
                let isAmpersand = bytes[(end + 1)...].starts(with: "u0026".utf8)
                if isAmpersand || [0x22, 0x6E, 0x72, 0x74].contains(next) { break }
                end += 1
            }
            end = min(end + 1, bytes.count)
        }
        position = end
        while end > start, [0x2C, 0x3B, 0x2E, 0x29, 0x5D, 0x7D, 0x27].contains(bytes[end - 1]) { end -= 1 }
        if !isHarmless(start..<end) { hide(start..<end, reach) }
    }

    /// Where the value of an argument in a GraphQL document begins; nil unless it is a literal.
    func argument(behind name: Range<Int>) -> Int? {
        let colon = skippingSpace(from: name.upperBound)
        guard byte(colon) == JSONBytes.colon else { return nil }
        var value = skippingSpace(from: colon + 1)
        // A comment. The search is bounded, so that a line of hashes costs linear time.
        if byte(value) == 0x23 {
            let end = endOfRun(from: value, limit: 200) { ![0x0A, 0x0D, JSONBytes.backslash].contains($0) }
            value = skippingSpace(from: end)
        }
        switch byte(value) {
        case 0x2D?, (0x30...0x39)?, JSONBytes.openBrace?: return value
        // After a variable's name comes its type.
        case JSONBytes.openBracket?: return isVariable(name) ? nil : value
        default: return openingQuote(at: value) == nil ? nil : value
        }
    }

    /// Whether a word in a GraphQL document names something that has a value, and is not a value itself.
    func isName(_ word: Range<Int>) -> Bool {
        guard word.upperBound <= documentEnd else { return false }
        return isVariable(word) || byte(skippingSpace(from: word.upperBound)) == JSONBytes.colon
    }

    func isVariable(_ word: Range<Int>) -> Bool { word.lowerBound > 0 && bytes[word.lowerBound - 1] == 0x24 }

    /// Hides an encoded text, such as a return URL or JSON, if it contains secrets: then none of it is shown.
    @discardableResult
    mutating func hideEncoded(_ range: Range<Int>) -> Bool {
        guard !isNested, bytes[range].contains(0x25) else { return false }
        let hasSecrets = SecretScan.decoded(Array(bytes[range])).withUnsafeBytes { plain in
            guard !plain.elementsEqual(bytes[range]) else { return false }
            var scan = SecretScan(plain, names, isNested: true)
            scan.run(.document)
            return !scan.secrets.isEmpty
        }
        if hasSecrets { secrets.append(Secret(range: range, isEncoded: true)) }
        return hasSecrets
    }

    /// Handles what follows `//`: user info, when there is an `@` before the path.
    mutating func userInfo() {
        // Some JSON writers put a backslash before each slash.
        let before = position - 2 - backslashes(before: position - 1)
        guard before >= 0, bytes[before] == 0x2F else { return }
        // A text that is known to be one URL may have a password that no URL can have.
        let end = endOfRun(from: position) { [isURL] byte in
            !SecretScan.endsAuthority(byte) || isURL && (byte <= 0x20 || byte == JSONBytes.quote || byte == 0x3C)
        }
        let authority = bytes[position..<end]
        if let at = authority.lastIndex(of: 0x40) { return hideAndPass(at) }
        guard let colon = authority.firstIndex(of: 0x3A), authority.first != JSONBytes.openBracket else { return }
        let port = bytes[(colon + 1)..<end]
        guard port.count > 5 || !port.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
        // Where only a port may be, perhaps with the end of a sentence.
        let mark = port.drop { (0x30...0x39).contains($0) }
        let isPort =
            (1...5).contains(port.count - mark.count)
            && !mark.contains { $0 >= 0x80 || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) }
        // Cut before the `@`.
        if end == bytes.count || bytes[end] >= 0x80 {
            if !isPort || mark.count > 2 || !mark.allSatisfy(").>,;:".utf8.contains) { hideAndPass(end) }
            return
        }
        // A password with a sign that ends a host. Bounded, so that long runs of slashes are not read again and again.
        let further = bytes[end...].prefix(256).prefix {
            isURL || $0 >= (isPort ? 0x21 : 0x20) && $0 != JSONBytes.quote && $0 != 0x3C
        }
        if let at = further.lastIndex(of: 0x40) { hideAndPass(at) }
    }

    mutating func hideAndPass(_ end: Int) {
        hide(position..<end)
        position = end
    }
}
