public import BackstopCore
internal import Foundation

extension Failure {
    /// The group of the failure in an error tracker: what went wrong, and in which call.
    ///
    /// ```swift
    /// let failure = Failure(StatusError(404), name: "BookDetails")
    /// print(failure.fingerprint)  // status.404 BookDetails
    /// ```
    /// It is the same on every device, in every run and language, whatever identifiers, texts and attempts there were:
    /// the code, with the kind of a decoding failure or the type of a service's or unknown error, and the first word of
    /// the call's name.
    ///
    /// What a server or a user can choose counts only as one of 4,096 numbers, so that nobody can make more groups: the
    /// error's own code, the type of `ProblemDetails`, the code of the first GraphQL error, and the path of a call
    /// without a name of its own (`status.404 GET #1c2`), in which all segments that look like identifiers are alike.
    public var fingerprint: String {
        // The summary of a request begins like the name of a one-liner: method and URL.
        let call = Excerpt.cut(name.isEmpty ? originalRequest?.summary(.off) ?? "" : name, to: 1000)
        let kind = shownRedaction.kind(ofCall: call)
        let path = Self.template(call.drop { $0 != " " && $0 != "/" && $0 != "?" })
        let (what, chosen) = cause
        let number = Self.number(of: ([path] + chosen).filter { !$0.isEmpty }.joined(separator: "\n"))
        return [what, kind, number].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// What went wrong, from sets that the app and its libraries know, and what others chose.
    private var cause: (String, chosen: [String]) {
        switch reason {
        case .service(let error):
            let type = TypeName.short(type(of: error))
            let code = error.failureCode
            let own = (error as? any StatusMeaning)?.serviceCode ?? ""
            return (
                "service.\(Excerpt.cut(type, to: TypeName.limit))",
                [code == type ? "" : Excerpt.cut(code, to: 1000), Excerpt.cut(own, to: 1000)]
            )
        case .decoding(let error):
            return ("decoding.\(error.kind.name)", [])
        case .other(let error):
            let system = error as NSError
            let place = type(of: error) == NSError.self ? "\(Excerpt.cut(system.domain, to: 1000)) \(system.code)" : ""
            return ("other.\(Excerpt.cut(TypeName.short(type(of: error)), to: TypeName.limit))", [place])
        default:
            return (code, [])
        }
    }

    /// The path in the rest of a name, with a star for each segment that looks like an identifier; empty for none.
    private static func template(_ rest: Substring) -> String {
        var path = rest.prefix { $0 != "?" && $0 != "#" }
        if let scheme = path.range(of: "://") {
            path = path[scheme.upperBound...].drop { $0 != "/" }
        }
        return path.split(separator: "/").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .map { isWord($0) ? $0 : "*" }.joined(separator: "/")
    }

    /// Whether a segment is a word of an API (`books`, `reset-password`, `v2`), not an identifier or a title.
    private static func isWord(_ segment: String) -> Bool {
        let bytes = segment.utf8
        let isVersion = bytes.first == 0x76 && (2...3).contains(bytes.count)
        return bytes.count <= 24 && bytes.count(where: { $0 == 0x2D }) <= 2
            && bytes.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || [0x2D, 0x2E, 0x5F].contains(byte)
                    || isVersion && (0x30...0x39).contains(byte)
            }
    }

    /// One of 4,096 numbers for a text; empty for none. `Hasher` has another one in each process; this is FNV-1a, folded.
    private static func number(of text: String) -> String {
        guard !text.isEmpty else {
            return ""
        }
        let hash = text.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let number = (hash ^ hash >> 12 ^ hash >> 24) & 0xFFF
        return "#" + String(number | 0x1000, radix: 16).dropFirst()
    }
}
