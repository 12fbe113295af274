internal import Backstop
internal import BackstopCore
internal import BackstopStreams
internal import Foundation

/// Writes what arrives to a partial file, and asks for the rest.
final class Download: BodySink, CallSeries {
    private struct State {
        /// What is in the file, and where it is from, as last known.
        var size: Int64 = 0
        var origin: PartialFile.Origin?
        var total: Int64?
        /// The hash of the URL.
        var url = ""
        /// Whether the call that runs has asked for a range, and from where.
        var asked: Int64?
        /// How many bytes it has brought that will not be fetched again.
        var gained: Int64 = 0
        /// Why the answer to a range cannot be used; the next call asks for everything.
        var mismatch: StorageError?
        var isRepeatable = true
        /// The SHA-256 that the server has announced.
        var digest: String?
        var hasEnd = false
        var legs = 0
        var head: HTTP.Response?
        /// Whether the file has its place.
        var isFinished = false
    }

    /// The answer to a range that does not go on with the file.
    private struct Mismatch: Error {
        var detail: String
    }

    private let target: URL
    private let options: DownloadOptions
    private let meter: TransferMeter
    private let base: String
    // Serial, so that a thread is there for it, and one thing is done at a time.
    private let queue = DispatchQueue(label: "BackstopTransfers.Download")
    /// Used on the queue only.
    private nonisolated(unsafe) let partial: PartialFile
    /// The state, guarded by the lock.
    private let state = Lock(State())

    init(_ target: URL, _ options: DownloadOptions, _ meter: TransferMeter, base: String) {
        self.target = target
        self.options = options
        self.meter = meter
        self.base = base
        partial = PartialFile(target, options)
    }

    /// Works on the file, to the end of the work: no write goes on after the download.
    private nonisolated(nonsending) func work(_ body: @escaping @Sendable (PartialFile) throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in
                let result = Result { try body(partial) }
                let (size, origin) = (partial.size, partial.origin)
                state.withLock { ($0.size, $0.origin) = (size, origin) }
                continuation.resume(with: result)
            }
        }
    }

    nonisolated(nonsending) func open() async throws {
        try await work { try $0.open() }
        tell()
    }

    nonisolated(nonsending) func leave() async {
        try? await work { $0.leave() }
    }

    /// The file, once it has its place.
    nonisolated(nonsending) func file(_ report: TransferReport) async throws(Failure) -> DownloadedFile {
        let state = state.withLock { $0 }
        guard state.isFinished, let head = state.head else {
            throw Failure(TransportError(.truncated, phase: .receiving, detail: "Nothing was downloaded"))
        }
        var report = report
        complete(&report)
        return DownloadedFile(url: target, response: head, report: report, isComplete: state.hasEnd)
    }

    private func tell() {
        let state = state.withLock { $0 }
        meter.update { status in
            status = TransferStatus(bytes: state.size, expected: state.total ?? state.origin?.total, legs: state.legs)
        }
    }
}

// What one call brings.
extension Download {
    nonisolated(nonsending) func begin(_ head: HTTP.Response) async throws {
        let (asked, url, mismatch) = state.withLock { ($0.asked, $0.url, $0.mismatch) }
        let validator = mismatch == nil ? head.strongValidator : nil
        let length = head.announcedLength
        var total = length
        var isRest = false
        switch head.status {
        case 206:
            guard let asked else {
                throw TransportError(
                    .badResponse, phase: .receiving,
                    detail: "The server sent a part (206) of what was asked for as a whole"
                )
            }
            total = try rest(of: head, from: asked, length)
            isRest = true
        case 204, 205, 304:
            throw StatusError(head.status, detail: "There is nothing to download", response: head)
        default:
            break
        }
        if let limit = options.limit, let total, total > limit {
            throw tooLarge(limit)
        }
        let origin = validator.map { PartialFile.Origin(url: url, validator: $0, total: total) }
        if !isRest {
            try await work { try $0.start(from: origin) }
        } else if let origin {
            try await work { try $0.note(origin) }
        }
        state.withLock { state in
            state.head = head
            state.total = total
            state.gained = 0
            state.digest = head.sha256 ?? (isRest ? state.digest : nil)
            state.hasEnd =
                total != nil || state.digest != nil || options.sha256 != nil
                || head.headers["Transfer-Encoding"] != nil || head.headers["Connection"]?.lowercased() != "close"
        }
        tell()
    }

    /// Checks that a part goes on with what is there.
    ///
    /// - Returns: The number of bytes in all; nil when the server does not say it.
    private func rest(of head: HTTP.Response, from asked: Int64, _ length: Int64?) throws -> Int64? {
        let known = state.withLock { $0.origin }
        guard let range = ContentRange(head.headers["Content-Range"]) else {
            throw Mismatch(detail: "The server sent a part (206) and did not say which")
        }
        guard let first = range.first, let last = range.last, first == asked else {
            throw Mismatch(detail: "The server was asked for the bytes from \(asked) on, and sent others")
        }
        guard head.isIdentity else {
            throw Mismatch(detail: "The server compressed the part that it was asked for")
        }
        if let known {
            // One that says nothing new keeps to If-Range.
            if let validator = head.strongValidator, validator != known.validator {
                throw Mismatch(detail: "The server sent a part of another version of the file")
            }
            if let old = known.total, let new = range.total, old != new {
                throw Mismatch(detail: "The server sent a part of a file of another length")
            }
        }
        if let total = range.total {
            guard last == total - 1 else {
                throw Mismatch(detail: "The server sent less than the rest of the file")
            }
            return total
        }
        guard length.map({ $0 == last - first + 1 }) ?? true else {
            throw Mismatch(detail: "The server sent a part with another length than it says")
        }
        return known?.total ?? last + 1
    }

    private func tooLarge(_ limit: Int64) -> TransportError {
        TransportError(.tooLarge, phase: .receiving, detail: "The file has more than the \(limit) bytes accepted")
    }

    nonisolated(nonsending) func put(_ chunk: Data) async throws {
        let (size, total) = state.withLock { ($0.size, $0.total) }
        let end = size + Int64(chunk.count)
        if let limit = options.limit, end > limit {
            throw tooLarge(limit)
        }
        guard total.map({ end <= $0 }) ?? true else {
            throw TransportError(
                .badResponse, phase: .receiving, detail: "More bytes came than the server had announced")
        }
        try await work { try $0.append(chunk) }
        state.withLock { $0.gained += Int64(chunk.count) }
        tell()
    }

    nonisolated(nonsending) func end() async throws {
        let state = state.withLock { $0 }
        if let total = state.total, state.size < total {
            throw TransportError(
                .truncated, phase: .receiving, detail: "The server ended after \(state.size) of \(total) bytes")
        }
        try await finish()
    }

    private nonisolated(nonsending) func finish() async throws {
        let size = state.withLock { $0.size }
        let digest = state.withLock { $0.digest }
        try await work { try $0.finish(digest: digest) }
        state.withLock { state in
            state.isFinished = true
            state.size = size
        }
    }

    func close() {}

    func complete(_ report: inout TransferReport) {
        let state = state.withLock { $0 }
        report.bytes = state.size
        report.expected = state.total ?? state.origin?.total
        report.legs = max(1, state.legs)
    }
}

// What one call asks for, and what follows it.
extension Download {
    func prepare(_ request: inout HTTP.Request) {
        let url = Digest.hex(of: Data("\(base) \(request.url)".utf8))
        let isRepeatable = request.isReadOnly && request.body.isNone
        let range = state.withLock { state -> (Int64, String)? in
            state.url = url
            state.isRepeatable = isRepeatable
            state.legs += 1
            (state.gained, state.asked) = (0, nil)
            guard isRepeatable, request.method == .get, state.mismatch == nil, state.size > 0,
                let origin = state.origin, origin.url == url
            else {
                return nil
            }
            state.asked = state.size
            return (state.size, origin.validator)
        }
        // Ranges are of the encoded bytes (RFC 9110, 8.4).
        if request.headers["Accept-Encoding"] == nil {
            request.headers["Accept-Encoding"] = "identity"
        }
        if let (first, validator) = range {
            request.headers["Range"] = "bytes=\(first)-"
            request.headers["If-Range"] = validator
        }
    }

    func follow(_ head: HTTP.Response, lasting: Duration) -> SeriesStep {
        .over
    }

    nonisolated(nonsending) func follow(_ failure: Failure, lasting: Duration) async -> SeriesStep {
        let old = state.withLock { $0 }
        guard !old.isFinished else {
            return .over
        }
        if let asked = old.asked, failure.statusCode == 416, !failure.isCancelled {
            let response = failure.response
            // To If-Range, 416 is only said of the same version.
            if ContentRange(response?.headers["Content-Range"])?.total == asked {
                do {
                    state.withLock { state in
                        state.head = response?.withoutBody(ofSize: 0)
                        state.hasEnd = true
                        state.total = asked
                    }
                    try await finish()
                    return .over
                } catch {
                    return .failed(error)
                }
            }
            return startOver(because: "The server has no such part of the file (416)", of: failure)
        }
        if old.asked != nil, failure.reason.kind == "status", failure.statusCode == 206 {
            return startOver(because: "The chain does not accept a part of the file (206)", of: failure)
        }
        if let mismatch = failure.error(as: Mismatch.self) {
            return startOver(because: mismatch.detail, of: failure)
        }
        if failure.reason.kind == "storage" {
            return .failed()
        }
        return old.isRepeatable ? .again(isProgress: old.gained > 0 && old.origin != nil) : .failed()
    }

    private func startOver(because detail: String, of failure: Failure) -> SeriesStep {
        let error = StorageError(.changed, path: target.path, detail)
        state.withLock { $0.mismatch = error }
        return .again(because: error, isProgress: false)
    }
}

/// The part that a response has (RFC 9110, 14.4).
struct ContentRange: Equatable {
    /// The first byte; nil in an answer that has none.
    var first: Int64?
    /// The last byte.
    var last: Int64?
    /// The number of bytes of the whole; nil when the server does not know it.
    var total: Int64?

    init?(_ text: String?) {
        guard let text, text.utf8.count <= 100 else {
            return nil
        }
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else {
            return nil
        }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            return nil
        }
        func number(_ text: Substring) -> Int64? {
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
        }
        if parts[1] != "*" {
            guard let total = number(parts[1]) else {
                return nil
            }
            self.total = total
        }
        guard parts[0] != "*" else {
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]), first <= last,
            total.map({ last < $0 }) ?? true
        else {
            return nil
        }
        (self.first, self.last) = (first, last)
    }
}

extension HTTP.Response {
    /// Whether the body is not compressed.
    var isIdentity: Bool {
        headers["Content-Encoding"].map { $0.lowercased() == "identity" || $0.isEmpty } ?? true
    }

    /// What a later request can name this version by (RFC 9110, 8.8 and 13.1.5); nil when nothing does for certain.
    var strongValidator: String? {
        guard isIdentity, headers["Accept-Ranges"]?.lowercased() != "none" else {
            return nil
        }
        if let tag = headers["ETag"] {
            let isStrong = tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count <= 1024
            return isStrong ? tag : nil
        }
        // A file may change twice in a second (8.8.2.2).
        func seconds(_ name: HTTP.Headers.Name) -> Int64? {
            headers[name].flatMap { HTTPDate(Array($0.utf8), now: .zero)?.secondsSince1970 }
        }
        guard let changed = seconds("Last-Modified"), let date = seconds("Date"), date > changed else {
            return nil
        }
        return headers["Last-Modified"]
    }

    /// The SHA-256 of the whole representation that the server announces (RFC 9530), in hexadecimal digits; nil when there is none.
    var sha256: String? {
        guard isIdentity, let text = headers["Repr-Digest"] else {
            return nil
        }
        for part in text.split(separator: ",") {
            let part = part.trimmingCharacters(in: .whitespaces)
            guard part.lowercased().hasPrefix("sha-256=:"), part.hasSuffix(":"),
                let data = Data(base64Encoded: String(part.dropFirst(9).dropLast())), data.count == 32
            else {
                continue
            }
            return data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        return nil
    }
}
