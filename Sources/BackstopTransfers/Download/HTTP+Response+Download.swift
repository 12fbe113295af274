internal import Backstop
internal import BackstopCore
internal import BackstopStreams
internal import Foundation

extension HTTP.Response {
    /// The parts of a field that is a list, in lower case, of all its lines.
    private func list(_ name: HTTP.Headers.Name) -> [String] {
        headers[values: name].flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }.filter { !$0.isEmpty }
    }

    /// How the body is compressed.
    private var codings: [String] { list("Content-Encoding").filter { $0 != "identity" } }

    /// Whether the body is not compressed.
    var isIdentity: Bool { codings.isEmpty }

    /// A compression that no transport undoes; nil for none.
    var unknownCoding: String? {
        codings.first { !["gzip", "x-gzip", "deflate"].contains($0) }.map { Redaction.quoted($0, upTo: 40) }
    }

    /// Whether the end of the body is marked, so that a lost connection does not look like it (RFC 9112, 6.3): by its
    /// length, which transports check, by its last chunk, or by the end of its stream.
    var endIsMarked: Bool {
        if let version = httpVersion?.first, version >= "2" {
            return true
        }
        let codings = list("Transfer-Encoding")
        guard codings.isEmpty else {
            return codings.last == "chunked"
        }
        return headers[.contentLength].map { AnnouncedLength.problem(of: $0) == nil } ?? false
    }

    /// What a later request can name this version by (RFC 9110, 8.8 and 13.1.5); nil when nothing does for certain.
    var strongValidator: String? {
        guard isIdentity, !list("Accept-Ranges").contains("none") else {
            return nil
        }
        if headers["ETag"] != nil {
            // Several may be of several versions; `URLSession` joins them.
            guard let tag = headers.only("ETag"), (2...1024).contains(tag.utf8.count) else {
                return nil
            }
            let isStrong = tag.hasPrefix("\"") && tag.hasSuffix("\"") && !tag.dropFirst().dropLast().contains("\"")
            return isStrong ? tag : nil
        }
        // Answers that depend on more than the URL may have one date (8.8.2.2, 12.5.5), as those in two languages.
        guard list("Vary").allSatisfy({ ["accept-encoding", "origin"].contains($0) }) else {
            return nil
        }
        // A file may change twice in a second (8.8.2.2).
        func seconds(_ name: HTTP.Headers.Name) -> Int64? {
            headers[name].flatMap { HTTPDate(Array($0.utf8), now: .zero)?.secondsSince1970 }
        }
        guard let changed = seconds("Last-Modified"), let date = seconds("Date"), date > changed else {
            return nil
        }
        return headers.only("Last-Modified")
    }

    /// Whether it says that it is another version than the one with a validator.
    ///
    /// A part (206) that was asked for by a tag has to say the same one (RFC 9110, 15.3.7), and a weak one says too little
    /// to put parts together (15.3.7.3).
    func isOther(than validator: String) -> Bool {
        guard validator.hasPrefix("\"") else {
            // It had no tag.
            return headers["ETag"] != nil || headers[values: "Last-Modified"].contains { $0 != validator }
        }
        let tags = headers[values: "ETag"]
        guard status != 206 else {
            return tags.isEmpty || tags.contains { $0 != validator }
        }
        return tags.contains { ($0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0) != validator }
    }

    /// The SHA-256 of the whole representation that the server announces (RFC 9530), in hexadecimal digits; nil when
    /// there is none, or the representation is compressed, so that what arrives is not what it is the sum of.
    var sha256: String? {
        guard isIdentity else {
            return nil
        }
        // A dictionary (RFC 9651, 3.2): of a key that comes twice, the last counts. Base64 has neither comma nor
        // semicolon, and of what other keys have, no text is taken for ours.
        var value: Substring?
        for member in headers[values: "Repr-Digest"].flatMap({ $0.split(separator: ",") }) {
            let item = member.drop { $0 == " " || $0 == "\t" }.prefix { $0 != ";" }
            if item.lowercased().hasPrefix("sha-256=") {
                value = item.dropFirst(8)
            }
        }
        let bytes = value?.trimmingCharacters(in: .whitespaces) ?? ""
        guard bytes.count > 2, bytes.hasPrefix(":"), bytes.hasSuffix(":"),
            let data = Data(base64Encoded: String(bytes.dropFirst().dropLast())), data.count == 32
        else {
            return nil
        }
        return data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension HTTP.Headers {
    /// The value of a field that says one thing only; nil for none, and for several.
    func only(_ name: Name) -> String? {
        let values = self[values: name]
        return Set(values).count == 1 ? values.first : nil
    }
}
