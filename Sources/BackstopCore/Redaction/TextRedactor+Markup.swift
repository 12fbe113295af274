// HTML and XML.

extension TextRedactor.Pass {
    /// Looks ahead into the tag that begins here: `<password>` and `<input name="pin" value="1234">`.
    ///
    /// Up to 512 bytes, and never past the next tag, so that each byte is read once.
    mutating func readTag() {
        var end = position
        while end < bytes.count, end - position < 512, bytes[end] != 0x3E, bytes[end] != 0x3C { end += 1 }
        let tag = String(decoding: bytes[position..<end], as: UTF8.self)
        let parts = tag.split(whereSeparator: \.isWhitespace)
        let isClosing = tag.utf8.first == 0x2F
        let isEmpty = isClosing || tag.utf8.last == 0x2F
        let element = isEmpty ? "" : parts.first?.lowercased() ?? ""
        isInTag = tag.utf8.first.map { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A } ?? false || isClosing
        hiddenContent = names.match((parts.first ?? "").utf8) && !isEmpty ? .all : .none
        isKeyElement = element == "key"
        if hidesNextElement, !isClosing {
            hiddenContent = element.isEmpty ? .none : .all
            hidesNextElement = false
        }
        isSensitiveTag = parts.dropFirst().contains { attribute in
            guard let equals = attribute.utf8.firstIndex(of: 0x3D) else { return false }
            let name = attribute[..<equals].lowercased()
            return ["name", "id", "property", "type", "key"].contains(name) && names.match(attribute[equals...].utf8)
        }
        if isSensitiveTag, hiddenContent == .none, !element.isEmpty, !TextRedactor.voidElements.contains(element) {
            hiddenContent = TextRedactor.containers.contains(element) ? .text : .all
        }
    }

    /// Hides what is inside of an element: its text, or all up to its end where more elements, or CDATA, stand in
    /// it.
    mutating func hideElement() {
        let next = position + bytes[position...].prefix { JSONBytes.isSpace($0) }.count
        if bytes[next...].starts(with: TextRedactor.mark) {
            return show(upTo: next + TextRedactor.mark.count)
        }
        guard hiddenContent == .all, next + 1 < bytes.count, bytes[next] == 0x3C, bytes[next + 1] != 0x2F else {
            let end = endOfRun { $0 != 0x3C }
            guard bytes[position..<end].contains(where: { !JSONBytes.isSpace($0) }) else { return }
            hidesNextElement = isKeyElement && names.match(bytes[position..<end])
            return hide(upTo: end)
        }
        hide(upTo: endOfElement(from: next))
    }

    /// The position of the tag that ends the element whose content begins at `start`, or the end.
    private func endOfElement(from start: Int) -> Int {
        var depth = 1
        var next = start
        while next < bytes.count {
            guard bytes[next] == 0x3C else {
                next += 1
                continue
            }
            let rest = bytes[next...]
            if rest.starts(with: "<![CDATA[".utf8) {
                next = position(behind: "]]>", from: next)
            } else if rest.starts(with: "<!--".utf8) {
                next = position(behind: "-->", from: next)
            } else if rest.starts(with: TextRedactor.mark) {
                next += TextRedactor.mark.count
            } else {
                let tag = next..<position(behind: ">", from: next)
                if rest.starts(with: "</".utf8) {
                    depth -= 1
                    if depth == 0 { return next }
                } else if !rest.starts(with: "<!".utf8), !rest.starts(with: "<?".utf8),
                    !bytes[tag].suffix(2).elementsEqual("/>".utf8)
                {
                    depth += 1
                }
                next = tag.upperBound
            }
        }
        return bytes.count
    }

    /// The position behind the next place where a text stands, or the end.
    private func position(behind text: String, from start: Int) -> Int {
        let wanted = Array(text.utf8)
        var next = start
        while next < bytes.count {
            if bytes[next] == wanted[0], bytes[next...].starts(with: wanted) { return next + wanted.count }
            next += 1
        }
        return bytes.count
    }
}

extension TextRedactor {
    /// Elements of HTML that have no content.
    private static let voidElements: Set<String> = [
        "input", "meta", "link", "br", "img", "param", "source", "embed", "hr", "area", "base", "col", "track", "wbr",
    ]

    /// Elements of HTML that hold a page's parts, which have names of their own.
    private static let containers: Set<String> = [
        "html", "head", "body", "form", "fieldset", "div", "section", "article", "main", "header", "footer", "nav",
        "table", "tbody", "tr", "ul", "ol", "dl", "label", "p", "a", "button", "iframe", "template", "dialog",
    ]
}
