// URLs, forms and multipart, whose structure is known.
extension SecretScan {
    mutating func url() {
        let hash = bytes.firstIndex(of: 0x23) ?? bytes.count
        let path = 0..<(bytes[..<hash].firstIndex(of: 0x3F) ?? hash)
        items(in: path.upperBound..<hash)
        // A fragment may itself be a query (`#access_token=...`, RFC 6749, 4.2.2), or have one.
        let question = bytes[hash...].firstIndex(of: 0x3F) ?? bytes.count
        items(in: hash..<question)
        items(in: question..<bytes.count)
        // User info where the slashes are missing: `ann:hunter2@shop.example`.
        let scheme = String(decoding: bytes.prefix(8).prefix { $0 != 0x3A }, as: UTF8.self).lowercased()
        let isKnown = ["https", "http", "wss", "ws", "ftp"].contains(scheme) && byte(scheme.utf8.count) == 0x3A
        let start = isKnown ? scheme.utf8.count + 1 : 0
        let slashes = endOfRun(from: start) { $0 == 0x2F || $0 == JSONBytes.backslash } - start
        if isKnown || slashes != 1 {
            let authority = endOfRun(from: start + slashes) { !SecretScan.endsAuthority($0) }
            if let at = bytes[(start + slashes)..<authority].lastIndex(of: 0x40) { hide((start + slashes)..<at) }
        }
        segments(in: path)
    }

    /// Hides the path segment after one that names a secret, where it looks like a token, or the name is the app's:
    /// `/reset-password/9f86d081884c7d65`, but not `/auth/login`.
    private mutating func segments(in path: Range<Int>) {
        var reach = SensitiveNames.Reach.nothing
        var isAdded = false
        for segment in bytes[path].split(separator: 0x2F) {
            if isAdded || reach != .nothing && SecretShapes.looksLikeToken(segment) {
                hide(segment.startIndex..<segment.endIndex)
            }
            let isName = segment.count <= SecretScan.nameLimit
            reach = isName ? names.reach(of: Array(segment)) : .nothing
            isAdded = isName && names.isAdded(Array(segment))
        }
    }

    /// Items joined with `&`, whatever their values contain.
    mutating func items(in range: Range<Int>) {
        for item in bytes[range].split(separator: 0x26) {
            guard let equals = item.firstIndex(of: 0x3D), equals + 1 < item.endIndex else { continue }
            let isFirst = item.first == 0x3F || item.first == 0x23
            let name = SecretScan.decoded(Array(item[..<equals].dropFirst(isFirst ? 1 : 0)))
            let value = (equals + 1)..<item.endIndex
            let reach = name.count <= SecretScan.nameLimit ? names.reach(ofItem: name) : .nothing
            if reach == .nothing { hideEncoded(value) } else if !isHarmless(value) { hide(value, reach) }
        }
    }

    /// Whether a text without a content type is a form: names and values, with nothing that a form would have encoded.
    static func isForm(_ text: UnsafeRawBufferPointer) -> Bool {
        var hasEquals = false
        for byte in text {
            switch byte {
            case 0x3D: hasEquals = true
            case 0...0x20, 0x22, 0x3C, 0x3E, 0x5B, 0x5D, 0x7B, 0x7D, 0x80...0xFF: return false
            default: continue
            }
        }
        return hasEquals
    }

    /// The contents of fields of `multipart/form-data` (RFC 7578) with sensitive names.
    mutating func multipart() {
        var boundary: Slice<UnsafeRawBufferPointer>?
        var isHeader = false
        var reach = SensitiveNames.Reach.nothing
        var contentStart: Int?
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let text = line.last == 0x0D ? line.dropLast() : line
            // The first line that begins with two hyphens is the boundary; a secret may begin with two as well.
            let isBoundary =
                boundary.map { text.starts(with: $0) && text.count <= $0.count + 2 }
                ?? text.starts(with: [0x2D, 0x2D])
            if isBoundary {
                if let start = contentStart { hide(start..<max(start, line.startIndex - 1), reach) }
                boundary = boundary ?? text
                (isHeader, reach, contentStart) = (true, .nothing, nil)
            } else if isHeader, text.isEmpty {
                isHeader = false
                contentStart = reach == .nothing ? nil : line.endIndex + 1
            } else if isHeader, let colon = text.firstIndex(of: 0x3A) {
                let parameters = text[colon...].split(separator: 0x3B).dropFirst()
                for parameter in parameters where reach == .nothing {
                    reach = names.reach(of: SecretScan.decoded(Array(parameter.drop { $0 != 0x3D })))
                }
            }
        }
        if let start = contentStart, start < bytes.count { hide(start..<bytes.count, reach) }
    }

    /// Resolves percent-encoding applied up to three times, and `+` as a space.
    static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for _ in 0..<3 where result.contains(0x25) { result = percentDecoded(result) }
        return result.map { $0 == 0x2B ? 0x20 : $0 }
    }

    static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { bytes in
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count)
            var position = 0
            while position < bytes.count {
                result.append(CanonicalText.percentDecoded(bytes, &position, nested: false))
            }
            return result
        }
    }
}
