internal import Backstop
internal import BackstopCore
internal import BackstopStreams
internal import Foundation

/// Writes what arrives to a partial file, and asks for the rest.
final class Download: BodySink, CallSeries {
    /// How much may wait to be written before the network has to.
    private static let longestWaiting = 1 << 20
    /// After a part of fewer bytes, which its head outweighs, the next is not asked for at once.
    private static let fewBytes = 1024

    private struct State {
        /// How many bytes there are, those that wait to be written included.
        var size: Int64 = 0
        /// What is written next, as much at once as has come meanwhile.
        var waiting = Data()
        /// Whether the queue is to write it.
        var isScheduled = false
        /// Why it could not be written.
        var problem: (any Error)?
        /// Where the bytes of the file are from.
        var origin: PartialFile.Origin?
        var total: Int64?
        /// The hash of what is asked for.
        var asked = ""
        /// Whether the call that runs has asked for a range, and from where.
        var position: Int64?
        /// Where the part ends that it has got; nil for a whole answer.
        var partEnd: Int64?
        /// How many bytes it has brought that will not be fetched again.
        var gained: Int64 = 0
        /// How far the calls before it had come.
        var reached: Int64 = 0
        /// Why the answer to a range cannot be used; the next call asks for everything.
        var mismatch: StorageError?
        /// Whether the last range that was asked for has come, be it of another version.
        var givesParts = false
        /// Whether everything was asked for because of such an answer.
        var hasBegunAnew = false
        /// What is wrong with bytes that may not be all: nothing has said where they end.
        var doubt: StorageError?
        var isRepeatable = true
        /// Whether a later call can ask for the rest.
        var canGoOn = true
        /// Whether the answer is not to be compressed.
        var asksIdentity = true
        /// Whether the end of the bytes is known to be the end of the file.
        var hasEnd = false
        var legs = 0
        var head: HTTP.Response?
        /// Whether the file has its place.
        var isFinished = false
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

    /// Works on the file, after what waits is written, and to the end of the work: no write goes on after the download.
    private nonisolated(nonsending) func work<Value: Sendable>(
        _ body: @escaping @Sendable (PartialFile) throws -> Value
    ) async throws -> Value {
        defer { tell() }
        return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
            queue.async { [self] in
                continuation.resume(with: run { try body($0) })
            }
        }
    }

    /// Writes what waits, and works on the file; on the queue only.
    private func run<Value>(_ body: (PartialFile) throws -> Value) -> Result<Value, any Error> {
        let bytes = state.withLock { state in
            state.isScheduled = false
            defer { state.waiting = Data() }
            // After one that failed, nothing more: it would leave a hole.
            return state.problem == nil ? state.waiting : Data()
        }
        let written = Result { try bytes.isEmpty ? () : partial.append(bytes) }
        let result = Result { try body(partial) }
        let (size, origin) = (partial.size, partial.origin)
        state.withLock { state in
            if case .failure(let error) = written {
                state.problem = error
            }
            (state.size, state.origin) = (size + Int64(state.waiting.count), origin)
        }
        return result
    }

    /// Waits until everything is written.
    ///
    /// - Throws: Why it could not be.
    private nonisolated(nonsending) func flush() async throws {
        try await work { _ in }
        if let problem = state.withLock({ $0.problem }) {
            throw problem
        }
    }

    nonisolated(nonsending) func open() async throws {
        try await work { try $0.open() }
    }

    nonisolated(nonsending) func leave() async {
        try? await flush()
        try? await work { $0.leave() }
    }

    /// The file, once it has its place.
    func file(of legs: Legs) throws(Failure) -> DownloadedFile {
        let state = state.withLock { $0 }
        guard state.isFinished, let head = state.head else {
            let failure = legs.failure(
                state.doubt ?? TransportError(.truncated, phase: .receiving, detail: "Nothing was downloaded"))
            throw failure.repeated(failure.attempts, stopped: .attemptsUsed(1))
        }
        var report = legs.report
        complete(&report)
        return DownloadedFile(url: target, response: head, report: report, isComplete: state.hasEnd)
    }

    private func tell() {
        meter.update { status in
            status = state.withLock { state in
                TransferStatus(bytes: state.size, expected: state.total ?? state.origin?.total, legs: state.legs)
            }
        }
    }
}

// What one call brings.
extension Download {
    nonisolated(nonsending) func begin(_ head: HTTP.Response) async throws {
        let old = state.withLock { $0 }
        if old.asksIdentity, let coding = head.unknownCoding {
            throw TransportError(
                .badResponse, phase: .receiving,
                detail: "The server compressed the file with \(coding), and was asked not to compress it")
        }
        var total = head.isIdentity ? head.announcedLength : nil
        var origin: PartialFile.Origin?
        var partEnd: Int64?
        switch head.status {
        case 206:
            guard let position = old.position, let known = old.origin else {
                let detail = "The server sent a part of the file (206), and all of it was asked for"
                throw old.mismatch == nil ? StatusError(206, detail: detail, response: head) : changed(detail)
            }
            let isThePart = ContentRange(head.headers.only("Content-Range"))?.first == position && head.isIdentity
            state.withLock { $0.givesParts = isThePart && isFromSource(of: known, head) }
            let rest = try rest(of: head, from: position, known, total)
            (origin, total, partEnd) = (rest.origin, rest.origin.total, rest.end)
        case 202, 204, 205, 207, 208, 226, 304:
            throw StatusError(head.status, detail: "The answer is not the file", response: head)
        default:
            if old.canGoOn, let validator = head.strongValidator {
                origin = PartialFile.Origin(
                    asked: old.asked, source: Self.source(of: head), validator: validator, total: total,
                    sha256: head.sha256)
            }
        }
        let digest = partEnd == nil ? head.sha256 : origin?.sha256
        let (known, end) = (total, partEnd)
        state.withLock { state in
            (state.head, state.total, state.partEnd) = (head, known, end)
            (state.gained, state.doubt) = (0, nil)
            // What it gives parts of may be gone on with: this is the version that it has now.
            state.mismatch = state.givesParts ? nil : state.mismatch
            state.hasEnd =
                end == nil && head.endIsMarked || end != nil && known != nil || digest != nil || options.sha256 != nil
        }
        if let limit = options.limit, let total, total > limit {
            throw tooLarge(limit)
        }
        let note = origin
        try await work { end == nil ? try $0.start(from: note) : try $0.note(note) }
    }

    /// A hash of where a response came from.
    private static func source(of head: HTTP.Response) -> String {
        Digest.hex(of: Data((head.url?.absoluteString ?? "").utf8))
    }

    /// Why an answer is not of the version, or from the place, that the bytes so far are; nil when it is.
    private func contradiction(of head: HTTP.Response, to known: PartialFile.Origin) -> String? {
        if head.isOther(than: known.validator) {
            return "The server sent a part of another version of the file"
        }
        if let old = known.sha256, let new = head.sha256, old != new {
            return "The server sent a part of a file with another checksum"
        }
        return isFromSource(of: known, head) ? nil : "The bytes so far came from another URL"
    }

    /// Whether a response is from the same URL. A validator says nothing of another one; a checksum tells in the end.
    private func isFromSource(of known: PartialFile.Origin, _ head: HTTP.Response) -> Bool {
        known.source == Self.source(of: head) || options.sha256 != nil || known.sha256 != nil
    }

    /// Checks that a part goes on with what is there.
    ///
    /// - Returns: Where the bytes are from, and the end of the part.
    private func rest(
        of head: HTTP.Response, from position: Int64, _ known: PartialFile.Origin, _ length: Int64?
    ) throws -> (origin: PartialFile.Origin, end: Int64) {
        guard head.mediaType != "multipart/byteranges", let range = ContentRange(head.headers.only("Content-Range"))
        else {
            throw changed("The server sent a part (206) and did not say which")
        }
        guard let first = range.first, let last = range.last, first == position else {
            throw changed("The server was asked for the bytes from \(position) on, and sent others")
        }
        guard head.isIdentity else {
            throw changed("The server compressed the part that it was asked for")
        }
        if let contradiction = contradiction(of: head, to: known) {
            throw changed(contradiction)
        }
        let total = range.total ?? known.total
        guard known.total.map({ $0 == total }) ?? true, total.map({ last < $0 }) ?? true else {
            throw changed("The server sent a part of a file of another length")
        }
        guard length.map({ $0 == last - first + 1 }) ?? true else {
            throw changed("The server sent a part with another length than it says")
        }
        var origin = known
        (origin.total, origin.sha256) = (total, known.sha256 ?? head.sha256)
        return (origin, last + 1)
    }

    private func changed(_ detail: String) -> StorageError {
        StorageError(.changed, path: target.path, detail)
    }

    private func tooLarge(_ limit: Int64) -> TransportError {
        TransportError(
            .tooLarge, phase: .receiving,
            detail: "The file has more than the \(limit == 1 ? "1 byte" : "\(limit) bytes") accepted")
    }

    nonisolated(nonsending) func put(_ chunk: Data) async throws {
        let (size, end, isPart) = state.withLock { state in
            (state.size + Int64(chunk.count), state.partEnd ?? state.total, state.partEnd != nil)
        }
        if let limit = options.limit, size > limit {
            throw tooLarge(limit)
        }
        guard end.map({ size <= $0 }) ?? true else {
            let detail = "More bytes came than the server had announced"
            guard isPart else {
                throw TransportError(.badResponse, phase: .receiving, detail: detail)
            }
            // Whether the part or what it says of itself is wrong, nobody knows, and some of it is in the file.
            try await work { try $0.note(nil) }
            throw changed(detail)
        }
        let (isMuch, isScheduled) = state.withLock { state in
            state.waiting.isEmpty ? state.waiting = chunk : state.waiting.append(chunk)
            state.size += Int64(chunk.count)
            state.gained += Int64(chunk.count)
            defer { state.isScheduled = true }
            return (state.waiting.count >= Self.longestWaiting || state.problem != nil, state.isScheduled)
        }
        guard !isMuch else {
            return try await flush()
        }
        tell()
        if !isScheduled {
            queue.async { [self] in
                _ = run { _ in }
            }
        }
    }

    nonisolated(nonsending) func end() async throws {
        try await flush()
        let state = state.withLock { $0 }
        if let end = state.partEnd ?? state.total, state.size < end {
            throw TransportError(
                .truncated, phase: .receiving, detail: "The server ended after \(state.size) of \(end) bytes")
        }
        guard state.partEnd == nil || state.partEnd == state.total else {
            // What follows the part is asked for next.
            return
        }
        let digest = state.partEnd == nil ? state.head?.sha256 : state.origin?.sha256
        if state.total == nil, state.head?.endIsMarked == false, state.isRepeatable,
            try await !work({ try $0.hasDigests(digest) })
        {
            // It may as well be the beginning of the right file: nothing has said that it ends here.
            let doubt = StorageError(
                .checksum, path: target.path,
                "The checksum does not match the announced one, and nothing said where the file ends: bytes may be missing"
            )
            return self.state.withLock { $0.doubt = doubt }
        }
        try await finish(digest)
    }

    private nonisolated(nonsending) func finish(_ digest: String?) async throws {
        try await work { try $0.finish(digest: digest) }
        state.withLock { $0.isFinished = true }
    }

    func close() {}

    var silenceSetting: String { "DownloadOptions.silence" }

    func complete(_ report: inout TransferReport) {
        let state = state.withLock { $0 }
        report.bytes = state.size
        report.expected = state.total ?? state.origin?.total
        report.legs = max(1, state.legs)
    }
}

// What one call asks for, and what follows it.
extension Download {
    func prepare(_ request: inout HTTP.Request) throws {
        guard request.method != .head else {
            throw RequestError(.invalid, "The answer to HEAD has no content to download: use GET")
        }
        guard request.headers["Range"] == nil else {
            throw RequestError(.invalid, "A download asks for all of a file, and sets Range itself: leave it out")
        }
        let asked = Digest.hex(of: Data("\(request.method.name) \(base) \(request.url)".utf8))
        let isRepeatable = request.isReadOnly && request.body.isNone
        let canGoOn = isRepeatable && request.method == .get
        // Ranges are of the encoded bytes (RFC 9110, 8.4).
        let asksIdentity = request.headers["Accept-Encoding"] == nil
        if asksIdentity {
            request.headers["Accept-Encoding"] = "identity"
        }
        let range = state.withLock { state -> (Int64, String)? in
            (state.asked, state.isRepeatable, state.canGoOn) = (asked, isRepeatable, canGoOn)
            state.asksIdentity = asksIdentity
            state.legs += 1
            (state.gained, state.position) = (0, nil)
            state.reached = max(state.reached, state.size)
            guard canGoOn, state.mismatch == nil, state.size > 0, let origin = state.origin, origin.asked == asked
            else {
                return nil
            }
            (state.position, state.givesParts) = (state.size, false)
            return (state.size, origin.validator)
        }
        if let (first, validator) = range {
            request.headers["Range"] = "bytes=\(first)-"
            request.headers["If-Range"] = validator
        }
    }

    func follow(_ head: HTTP.Response, lasting: Duration) -> SeriesStep {
        let (isFinished, doubt, gained) = state.withLock { ($0.isFinished, $0.doubt, $0.gained) }
        guard !isFinished else {
            return .over
        }
        return doubt.map { .again(because: $0, isProgress: false) }
            ?? .more(after: gained < Self.fewBytes ? .milliseconds(100) : .zero)
    }

    nonisolated(nonsending) func follow(_ failure: Failure, lasting: Duration) async -> SeriesStep {
        do {
            try await flush()
        } catch {
            return .failed(error, stopped: .notRetryable)
        }
        let old = state.withLock { $0 }
        guard !old.isFinished else {
            return .over
        }
        // A call that began anew has led on only if it has come further than any before.
        let isFurther = old.partEnd == nil ? old.size > old.reached : old.gained > 0
        let leadsOn = old.origin != nil && old.mismatch == nil && isFurther
        switch failure.reason {
        case .cancelled:
            return .failed()
        case .status where old.position != nil && failure.statusCode == 416:
            return await followNoSuchRange(failure)
        case .status, .service:
            guard old.position != nil, let code = failure.statusCode else {
                if !failure.isTransient || failure.statusCode == 500 {
                    // It refuses the whole as well, so what it says is not of parts.
                    state.withLock { $0.mismatch = nil }
                }
                break
            }
            // Whether it says the same of the whole file, only asking for that shows.
            let mayBeOfParts = code == 500 || code == 501 || code == 505 || code < 500 && code != 401
            guard !old.hasBegunAnew, mayBeOfParts, code == 500 || !failure.isTransient else {
                break
            }
            return beginAnew(because: changed("The server gives no part of the file (\(code))"))
        case .transport(let error)
        where old.position != nil && old.gained == 0 && [.badResponse, .redirects].contains(error.code):
            return beginAnew(because: changed("The answer to a part of the file cannot be used"))
        case .storage(let error) where error.code == .changed:
            return beginAnew(because: error)
        case .storage:
            return .failed(stopped: .notRetryable)
        case .transport(let error) where error.code == .overrun:
            // The rest is as fast, but less. As a whole, it would never be read.
            return leadsOn ? .again(because: error, isProgress: true) : .failed(stopped: .notRetryable)
        default: break
        }
        return old.isRepeatable
            ? .again(isProgress: leadsOn) : .failed(stopped: failure.isIdempotent ? nil : .notIdempotent)
    }

    /// What follows the answer that the file has no bytes from there on: it may be whole.
    private nonisolated(nonsending) func followNoSuchRange(_ failure: Failure) async -> SeriesStep {
        let old = state.withLock { $0 }
        // To If-Range, 416 is only said of the same version, but not by every server.
        guard let size = old.position, let known = old.origin, let response = failure.response,
            ContentRange(response.headers.only("Content-Range"))?.total == size, known.total ?? size == size,
            contradiction(of: response, to: known) == nil
        else {
            return beginAnew(because: changed("The server has no such part of the file (416)"))
        }
        state.withLock { state in
            state.head = response.withoutBody(ofSize: 0)
            (state.hasEnd, state.total) = (true, size)
        }
        do {
            try await finish(known.sha256)
            return .over
        } catch {
            return .failed(error, stopped: .notRetryable)
        }
    }

    /// Asks for everything: once in a download whatever the policy is, because it is another question. What there is goes
    /// when that comes.
    private func beginAnew(because error: StorageError) -> SeriesStep {
        let isFirst = state.withLock { state in
            defer { (state.mismatch, state.hasBegunAnew) = (error, true) }
            return !state.hasBegunAnew
        }
        return isFirst ? .more(after: .zero) : .again(because: error, isProgress: false)
    }
}
