/// Recognizes web pages in place of other content.
struct HTMLPage {
    /// Marks a sign-in page in a description.
    static let signIn = ", which looks like a sign-in page"

    /// The text of `<title>`, on one line and bounded; nil when the page has none or an empty one.
    let title: String?
    /// Whether the page asks for a password or mentions signing in.
    let isSignIn: Bool

    /// How much of a page is read.
    private static let limit = 65_536

    /// Nil when the body is not a web page, neither by its beginning nor, if it is not JSON, by its content type.
    init?(_ bytes: UnsafeRawBufferPointer, contentType: String?, redaction: Redaction) {
        let page = bytes.prefix(HTMLPage.limit).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let start = JSONBytes.start(of: bytes)
        guard start < bytes.count else { return nil }
        let type = contentType?.lowercased() ?? ""
        let isCalledHTML = type.hasPrefix("text/html") || type.contains("xhtml")
        let beginsAsPage =
            bytes[start] == 0x3C && start < page.count
            && (["<!doctype html", "<html", "<head", "<body"].contains { page[start...].starts(with: $0.utf8) }
                // After an XML declaration or a comment.
                || HTMLPage.position(of: "<html", in: page.prefix(1024)) != nil)
        guard beginsAsPage || (isCalledHTML && !HTMLPage.mayBeginJSON(bytes[start])) else { return nil }
        title =
            redaction.hidesBodies ? nil : HTMLPage.title(page, original: bytes).map { redaction.text($0) }
        let words = [
            "sign in", "sign-in", "signin", "log in", "log-in", "login", "log on", "logon", "anmelden", "einloggen",
            "connexion", "type=\"password\"", "type='password'", "type=password",
        ]
        isSignIn = words.contains { HTMLPage.position(of: $0, in: page[...]) != nil }
    }

    /// The page in words: `an HTML page titled "Sign in", which looks like a sign-in page`.
    var description: String {
        (title.map { "an HTML page titled \"\($0)\"" } ?? "an HTML page") + (isSignIn ? HTMLPage.signIn : "")
    }

    private static func mayBeginJSON(_ byte: UInt8) -> Bool {
        [JSONBytes.openBrace, JSONBytes.openBracket, JSONBytes.quote, 0x2D].contains(byte)
            || (0x30...0x39).contains(byte)
    }

    private static func title(_ page: [UInt8], original: UnsafeRawBufferPointer) -> String? {
        guard let tag = position(of: "<title", in: page[...]), let open = page[tag...].firstIndex(of: 0x3E) else {
            return nil
        }
        let rest = page[(open + 1)...].prefix(2048)
        let end = position(of: "</title", in: rest) ?? rest.firstIndex(of: 0x3C) ?? rest.endIndex
        let text = plain(String(decoding: original[(open + 1)..<end], as: UTF8.self))
        let words = Excerpt.printable(text).split(separator: " ").joined(separator: " ")
        return words.isEmpty ? nil : Excerpt.cut(words, to: 120)
    }

    /// Resolves the few character references found in titles.
    private static func plain(_ text: String) -> String {
        // The ampersand last: `&amp;lt;` says `&lt;`.
        let references: KeyValuePairs = [
            "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&nbsp;": " ", "&amp;": "&",
        ]
        return references.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }

    private static func position(of word: String, in page: ArraySlice<UInt8>) -> Int? {
        let word = Array(word.utf8)
        guard let first = word.first else { return nil }
        return page.indices.first { page[$0] == first && page[$0...].starts(with: word) }
    }
}
