/// Compares a decoder's error with the body.
struct DecodingDiagnosis {
    let kind: DecodingFailure.Kind
    let path: String
    let expected: String
    let found: String
    let excerpt: String?
    let byteOffset: Int?
    let detail: String

    init(
        _ report: DecoderReport, _ type: Any.Type, _ bytes: UnsafeRawBufferPointer, _ contentType: String?,
        _ redaction: Redaction = .current
    ) {
        let whole = "JSON (\(ExpectedType.name(type)))"
        // Redacted before it is cut, so that no secret is cut first.
        let line = Excerpt.printable(Excerpt.cut(report.words, to: 2000))
        let words = Excerpt.cut(redaction.body(line, contentType: nil), to: 500)
        if JSONBytes(bytes).start == bytes.count {
            let found = bytes.isEmpty ? "nothing: the body is empty" : "nothing: the body is only white space"
            self.init(.empty, expected: whole, found: found, detail: words)
        } else if let page = HTMLPage(bytes, contentType: contentType, redaction: redaction) {
            let excerpt = BodyExcerpt(bytes, contentType, redaction).text(around: 0)
            self.init(.html, expected: whole, found: page.description, excerpt: excerpt, detail: words)
        } else if report.concernsSyntax, let problem = report.problem(in: bytes) {
            self.init(problem, expected: whole, bytes, contentType, redaction, detail: words)
        } else if case .tooDeep = report.complaint {
            // JSON5, or another encoding, in which the place was not searched for.
            let excerpt = BodyExcerpt(bytes, contentType, redaction).text(around: 0)
            self.init(.tooDeep, expected: whole, found: "JSON \(JSONScan.tooDeep)", excerpt: excerpt, detail: words)
        } else {
            self.init(report, type, in: bytes, contentType, redaction, detail: words)
        }
    }

    private init(
        _ kind: DecodingFailure.Kind, path: String = "$", expected: String, found: String, excerpt: String? = nil,
        byteOffset: Int? = nil, detail: String
    ) {
        self.kind = kind
        self.path = path
        self.expected = expected
        self.found = found
        self.excerpt = excerpt
        self.byteOffset = byteOffset
        self.detail = detail
    }

    /// The body is not JSON.
    private init(
        _ problem: JSONScan.Problem, expected: String, _ bytes: UnsafeRawBufferPointer, _ contentType: String?,
        _ redaction: Redaction, detail: String
    ) {
        let body = BodyExcerpt(bytes, contentType, redaction)
        let place = "line \(problem.line), column \(problem.column)"
        let kind: DecodingFailure.Kind
        let found: String
        if problem.isTooDeep {
            kind = .tooDeep
            found = "JSON \(problem.message), at \(place)"
        } else if problem.isTruncated {
            kind = .truncated
            found = "JSON that ends in the middle of a value, after \(ByteCount.text(bytes.count))"
        } else {
            kind = .notJSON
            found = body.nature(faultAt: problem.offset) ?? "JSON with a syntax error at \(place): \(problem.message)"
        }
        self.init(
            kind, expected: expected, found: found, excerpt: body.text(around: problem.offset),
            byteOffset: problem.offset, detail: detail)
    }

    /// The body is JSON, or another format that the decoder reads; a value in it is not as expected.
    private init(
        _ report: DecoderReport, _ type: Any.Type, in bytes: UnsafeRawBufferPointer, _ contentType: String?,
        _ redaction: Redaction, detail: String
    ) {
        let located = JSONScan.firstProblem(in: bytes) == nil ? JSONScan.locate(report.path, in: bytes) : nil
        let isWholePath = located?.depth == report.path.count
        let isSensitive = report.path.contains { element in
            guard case .key(let key) = element else { return false }
            return redaction.isSensitive(key)
        }
        let described = located.map {
            DecodingDiagnosis.described($0, isWholePath: isWholePath, isSensitive, redaction)
        }
        var found = described ?? "content of another format than JSON"
        let kind: DecodingFailure.Kind
        let expected: String
        switch report.complaint {
        case .missingKey(let key):
            kind = .missingKey
            expected = "the key \"\(Excerpt.cut(Excerpt.printable(key), to: 64))\""
            if isWholePath, let near = SimilarKey.find(key, among: located?.keys ?? []) {
                found += " (similar: \"\(redaction.text(near))\")"
            }
        case .typeMismatch(let type):
            kind = .typeMismatch
            expected = ExpectedType.described(type)
        case .missingValue(let type):
            kind = .missingValue
            expected = ExpectedType.described(type)
        case .corrupted, .tooDeep, .other:
            kind = .corrupted
            expected = report.path.isEmpty ? "JSON (\(ExpectedType.name(type)))" : "a value that can be read"
        }
        self.init(
            kind, path: DecodingDiagnosis.text(of: report.path, redaction), expected: expected,
            found: found,
            excerpt: BodyExcerpt(bytes, contentType, redaction).text(around: located?.range.lowerBound ?? 0),
            byteOffset: isWholePath ? located?.range.lowerBound : nil,
            // A decoder may repeat the value that it could not read.
            detail: isSensitive ? Redaction.placeholder : detail)
    }

    private static func described(
        _ located: JSONScan.Located, isWholePath: Bool, _ isSensitive: Bool, _ redaction: Redaction
    ) -> String {
        let description: String
        switch located.kind {
        case "object", "array":
            description = redaction.text(located.description)
        case "string", "number":
            let value = isSensitive ? "\(located.kind) \(Redaction.placeholder)" : located.description
            description = redaction.text(value)
        default:
            description = isSensitive && located.kind == "boolean" ? "a boolean" : located.description
        }
        return isWholePath ? description : "nothing: the nearest place that exists is \(description)"
    }

    /// A path as text; a very long one keeps its end, which says more.
    private static func text(of path: [JSONPathElement], _ redaction: Redaction) -> String {
        var result = "$"
        let shown = path.suffix(32)
        if shown.count < path.count { result += "…" }
        for element in shown {
            switch element {
            case .index(let index): result += "[\(index)]"
            case .key(let key):
                let text = redaction.text(Excerpt.cut(Excerpt.printable(key), to: 64))
                let isPlain = text.unicodeScalars.allSatisfy {
                    $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
                }
                result += isPlain && !text.isEmpty ? ".\(text)" : "[\"\(text)\"]"
            }
        }
        return result
    }
}

extension DecoderReport {
    /// The first syntax error; nil for one that the decoder accepts.
    fileprivate func problem(in bytes: UnsafeRawBufferPointer) -> JSONScan.Problem? {
        let problem = JSONScan.firstProblem(in: bytes)
        guard case .tooDeep = complaint else { return problem }
        return problem?.isTooDeep == true ? problem : nil
    }

    /// Whether the body may not have been parsed at all; a decoder that reports a missing key has parsed it.
    fileprivate var concernsSyntax: Bool {
        switch complaint {
        case .corrupted, .tooDeep, .other: true
        case .missingKey, .typeMismatch, .missingValue: false
        }
    }
}
