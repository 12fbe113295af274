/// Removes the contents of sensitive fields from `multipart/form-data` (RFC 7578).
struct MultipartRedactor {
    let names: SensitiveNames

    /// The text with a mark in place of each sensitive content.
    func redacted(_ text: String) -> String {
        var result: [Substring] = []
        var boundary: Substring?
        var isHeader = false
        var isSensitive = false
        // Line ends may be CRLF, which Swift treats as one character.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if isBoundary(line, boundary) {
                boundary = boundary ?? line
                isHeader = true
                isSensitive = false
            } else if isHeader {
                if line.isEmpty {
                    isHeader = false
                    result.append(line)
                    if isSensitive { result.append(Redaction.placeholder[...]) }
                    continue
                }
                if line.lowercased().hasPrefix("content-disposition"), hasSensitiveName(line) { isSensitive = true }
            } else if isSensitive {
                continue
            }
            result.append(line)
        }
        return result.joined(separator: "\n")
    }

    /// The first line that begins with two hyphens is the boundary; a secret may begin with two as well.
    private func isBoundary(_ line: Substring, _ boundary: Substring?) -> Bool {
        guard let boundary else { return line.hasPrefix("--") }
        return line == boundary || line == boundary + "--"
    }

    /// Reads the parameters of a header line; only `name` and `filename` matter.
    private func hasSensitiveName(_ line: Substring) -> Bool {
        line.split(separator: ";").dropFirst().contains { parameter in
            guard let equals = parameter.utf8.firstIndex(of: 0x3D) else { return false }
            return names.match(FormRedactor.decoded(parameter[equals...].utf8))
        }
    }
}
