/// Cuts a short excerpt out of a body, with secrets removed.
struct BodyExcerpt {
    let bytes: UnsafeRawBufferPointer
    let contentType: String?
    let redaction: Redaction

    /// How many characters an excerpt has.
    static let length = 160
    /// How much text is shown before the place.
    private static let before = 60
    /// How much more than the excerpt is redacted, so that a secret is recognized before it is cut.
    private static let slack = 2048

    /// The text around a place, on one line, with an ellipsis where it is cut; nil when it is not text, or hidden.
    func text(around offset: Int) -> String? {
        guard !redaction.hidesBodies else { return nil }
        let start = boundary(before: offset)
        let end = min(bytes.count, start + BodyExcerpt.length * 4 + BodyExcerpt.slack)
        // The preceding text is read for its keys, to recognize a part of a sensitive object.
        let json = redaction.json(bytes, within: start..<end)
        let shown = bytes[start..<min(end, start + BodyExcerpt.length)]
        guard Excerpt.isText(UnsafeRawBufferPointer(rebasing: shown)) else { return nil }
        let redacted = redaction.body(String(decoding: json, as: UTF8.self), contentType: contentType)
        let line = Excerpt.cut(Excerpt.printable(redacted), to: BodyExcerpt.length)
        let isCut = end < bytes.count && !line.hasSuffix("…")
        return (start > 0 ? "…" : "") + line + (isCut ? "…" : "")
    }

    /// Describes a body that does not even begin as JSON; nil when it does.
    func nature(faultAt offset: Int) -> String? {
        // A literal such as `nul` gets further than its first byte.
        guard offset == JSONBytes.start(of: bytes), offset < bytes.count else { return nil }
        if bytes[offset] == 0x3C { return "markup, not JSON" }
        guard !redaction.hidesBodies else { return "not JSON" }
        guard let text = text(around: 0) else { return "binary data, not JSON" }
        return "text, not JSON: \"\(Excerpt.cut(text, to: 80))\""
    }

    /// The last place before `offset` where text may begin without cutting a string or a word: a bracket, a comma, or
    /// an opening quote. The nearest one before the text to show, or else the first after it.
    private func boundary(before offset: Int) -> Int {
        let wanted = offset - BodyExcerpt.before
        guard wanted > 0 else { return 0 }
        var best = 0
        var position = 0
        var isInString = false
        while position < offset {
            let byte = bytes[position]
            let mayBegin = byte == JSONBytes.quote || byte == JSONBytes.comma || byte | 0x20 == JSONBytes.openBrace
            if !isInString, mayBegin {
                best = position
                if position >= wanted { break }
            }
            if byte == JSONBytes.quote { isInString.toggle() }
            position += isInString && byte == JSONBytes.backslash ? 2 : 1
        }
        return best
    }
}
