/// The parts of a URL or of a path, as written (RFC 3986, appendix B).
struct URLParts {
    /// Before the colon; nil for a path.
    let scheme: String?
    /// Between `//` and the path; nil without `//`.
    let authority: ArraySlice<UInt8>?
    let path: ArraySlice<UInt8>
    /// After the question mark; nil without one.
    let query: ArraySlice<UInt8>?
    /// After the number sign; nil without one.
    let fragment: ArraySlice<UInt8>?

    init(_ text: String) {
        let bytes = Array(text.utf8)[...]
        let sent = bytes.prefix { $0 != UInt8(ascii: "#") }
        var rest = sent.prefix { $0 != UInt8(ascii: "?") }
        fragment = sent.endIndex < bytes.endIndex ? bytes[sent.endIndex...].dropFirst() : nil
        query = rest.endIndex < sent.endIndex ? sent[rest.endIndex...].dropFirst() : nil
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), URLText.isScheme(rest[..<colon]) {
            scheme = String(decoding: rest[..<colon], as: UTF8.self)
            rest = rest[(colon + 1)...]
        } else {
            scheme = nil
        }
        let slash = UInt8(ascii: "/")
        authority = rest.prefix(2) == [slash, slash] ? rest.dropFirst(2).prefix { $0 != slash } : nil
        path = authority.map { rest[$0.endIndex...] } ?? rest
    }
}
