internal import BackstopCore
internal import Foundation

/// Reads the body of one transfer, and checks that it has its announced length.
///
/// The bytes that complete the length are handed out only once the body is known to end there: if it continues, the
/// server gets fewer bytes than announced, and cannot mistake the part for the whole. A stream with no bytes available
/// at that point counts as ended.
///
/// The session, or the pump in front of it, reads from one thread at a time.
final class CountedBody {
    /// Events for the exchange.
    struct Events: Sendable {
        /// The body cannot be sent as announced.
        var failed: @Sendable (RequestError) -> Void
        /// All bytes were handed out, with their number.
        var ended: @Sendable (UInt64) -> Void
    }

    private enum State {
        case reading, ended, failed
    }

    private let source: InputStream
    /// The announced number of bytes; nil for none.
    private let length: UInt64?
    /// The source of the bytes, to start a sentence with.
    private let name: String
    private let events: Events
    private var state = State.reading
    /// Whether the source was opened here and must be closed here.
    private var isOpener = false
    private var count: UInt64 = 0

    init(_ source: InputStream, length: UInt64?, name: String, events: Events) {
        self.source = source
        self.length = length
        self.name = name
        self.events = events
    }

    deinit {
        if isOpener {
            source.close()
        }
    }

    /// Whether everything has been handed out, or nothing more will be.
    var isOver: Bool {
        state != .reading
    }

    func open() {
        if source.streamStatus == .notOpen {
            isOpener = true
            source.open()
        }
    }

    /// Reads up to a number of bytes.
    ///
    /// - Returns: How many; 0 at the end, -1 after a failure, as streams do.
    func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        switch state {
        case .failed: return -1
        case .ended: return 0
        case .reading: break
        }
        let left = length.map { Int(clamping: $0 - count) } ?? maxLength
        if left == 0 {
            return endsHere() ? end(with: 0) : fail(isLonger)
        }
        let size = take(buffer, min(maxLength, left))
        guard size != Self.nothingAtHand else {
            return fail(isSlow)
        }
        guard size >= 0 else {
            return fail(
                RequestError(.bodyUnreadable, "\(name) cannot be read to its end", underlying: source.streamError))
        }
        guard size > 0 else {
            return length == nil ? end(with: 0) : fail(isShorter)
        }
        count += UInt64(size)
        guard count == length else {
            return size
        }
        return endsHere() ? end(with: size) : fail(isLonger)
    }

    /// Opens the body, and makes sure that it is empty.
    func checkEmpty() throws(RequestError) {
        open()
        guard endsHere() else {
            throw isLonger
        }
        events.ended(0)
    }

    private func end(with size: Int) -> Int {
        state = .ended
        events.ended(count)
        return size
    }

    private func fail(_ error: RequestError) -> Int {
        state = .failed
        events.failed(error)
        return -1
    }

    /// Returned by ``take(_:_:)`` when the source has no bytes available, but is not at its end.
    private static let nothingAtHand = -2

    /// Reads directly from the source.
    private func take(_ buffer: UnsafeMutablePointer<UInt8>, _ maxLength: Int) -> Int {
        #if canImport(FoundationNetworking)
            // Linux reads on the queue of the whole session, which must not block. Foundation's own streams of data and
            // files never block; an empty one is not at its end before it was read.
            guard source.hasBytesAvailable || type(of: source) == InputStream.self else {
                return switch source.streamStatus {
                case .error: -1
                case .opening, .open, .reading, .writing: Self.nothingAtHand
                case .notOpen, .atEnd, .closed: 0
                @unknown default: 0
                }
            }
        #endif
        return source.read(buffer, maxLength: maxLength)
    }

    private func endsHere() -> Bool {
        var byte: UInt8 = 0
        return take(&byte, 1) <= 0
    }

    private var isLonger: RequestError {
        RequestError(
            .bodyLength,
            "\(name) goes on after the \(length ?? 0) announced bytes, so the request was aborted: pass its actual "
                + "length, or nil to send it in chunks")
    }

    /// Treating that as the end would make a part pass for the whole.
    private var isSlow: RequestError {
        RequestError(
            .bodyUnreadable,
            "\(name) had no bytes available after \(count), and its streamStatus was not atEnd, so the request was "
                + "aborted: on Linux, write slow data to a file, and send that")
    }

    private var isShorter: RequestError {
        RequestError(
            .bodyLength,
            "\(name) ended after \(count) of the \(length ?? 0) announced bytes, so the request was aborted: pass "
                + "its actual length, or nil to send it in chunks")
    }
}
