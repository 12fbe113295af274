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
    /// What is not from a fixed set counts only as one of 4,096 numbers, so that nobody can make more groups: a code of
    /// the app's own, the domain and code of a system error, the type of `ProblemDetails`, the code of the first GraphQL
    /// error, and the path of a call without a name of its own (`status.404 GET #1c2`), in which all segments that look
    /// like identifiers are alike.
    public var fingerprint: String {
        // The summary of a request begins like the name of a one-liner: method and URL.
        let call = Excerpt.cut(name.isEmpty ? originalRequest?.summary(.off) ?? "" : name, to: 1000)
        let kind = shownRedaction.kind(ofCall: call)
        var (text, chosen) = cause
        if !kind.isEmpty {
            text += " " + kind
        }
        chosen += Self.template(Array(call.utf8.drop { $0 != 0x20 && $0 != 0x2F && $0 != 0x3F }))
        return chosen.isEmpty ? text : text + " #" + Self.number(of: chosen)
    }

    /// What went wrong, from sets that the app and its libraries know, and what others chose.
    private var cause: (String, chosen: [UInt8]) {
        switch reason {
        case .service(let error):
            let type = TypeName.short(type(of: error))
            let code = error.failureCode
            var chosen = code == type ? "" : Excerpt.cut(code, to: 1000)
            if let own = (error as? any StatusMeaning)?.serviceCode {
                chosen += "\n" + Excerpt.cut(own, to: 1000)
            }
            return ("service." + Excerpt.cut(type, to: TypeName.limit), Array(chosen.utf8))
        case .decoding(let error):
            return ("decoding." + error.kind.name, [])
        case .other(let error):
            guard let system = Self.system(error) as NSError? else {
                return ("other." + Excerpt.cut(TypeName.short(type(of: error)), to: TypeName.limit), [])
            }
            return ("other.NSError", Array("\(Excerpt.cut(system.domain, to: 1000)) \(system.code)".utf8))
        case .transport(let error): return cause(error.code)
        case .request(let error): return cause(error.code)
        case .timeout(let error): return cause(error.kind)
        case .rejected(let error): return cause(error.code)
        case .cancelled, .status, .storage: return (code, [])
        }
    }

    /// A built-in code as it is; of another, in which anything may be, only the number.
    private func cause<Code: FailureCode>(_ own: Code) -> (String, chosen: [UInt8]) {
        Code.builtIn.contains(own) ? (code, []) : (reason.kind, Array(Excerpt.cut(own.name, to: 1000).utf8))
    }

    /// The path in the rest of a name, with a star for each segment that looks like an identifier; empty for none.
    private static func template(_ rest: [UInt8]) -> [UInt8] {
        var segments = rest.prefix { $0 != 0x3F && $0 != 0x23 }.split { $0 == 0x2F || $0 == 0x20 }
        if segments.first?.last == 0x3A {
            // Scheme and host.
            segments.removeFirst(min(2, segments.count))
        }
        return segments.reduce(into: []) { $0 += [0x2F] + (isWord($1) ? $1 : [0x2A]) }
    }

    /// Whether a segment is a word of an API (`books`, `reset-password`, `v2`), not an identifier or a title.
    private static func isWord(_ segment: ArraySlice<UInt8>) -> Bool {
        let isVersion = segment.first == 0x76 && segment.count <= 3
        return segment.count <= 24 && segment.count(where: { $0 == 0x2D }) <= 2
            && segment.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x2D...0x2E).contains(byte) || byte == 0x5F
                    || isVersion && (0x30...0x39).contains(byte)
            }
    }

    /// One of 4,096 numbers. `Hasher` has another one in each process; this is FNV-1a, folded.
    private static func number(of bytes: [UInt8]) -> String {
        let hash = bytes.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return String(String((hash ^ hash >> 12 ^ hash >> 24) & 0xFFF | 0x1000, radix: 16).dropFirst())
    }
}
