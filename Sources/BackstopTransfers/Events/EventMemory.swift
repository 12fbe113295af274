internal import Backstop
internal import BackstopCore
internal import BackstopStreams
internal import Foundation

/// What is remembered of a stream of events from one call to the next.
final class EventMemory: StreamSeries {
    /// The wait before a call goes on, unless the server says otherwise: what browsers have.
    private static let standardWait = Duration.seconds(3)
    /// The longest wait that a server may ask for, in milliseconds.
    private static let longestWait: Int64 = 3_600_000
    /// The longest id that is sent back; servers refuse longer heads.
    private static let longestID = 4096
    /// A call that lasted so long is no reason to give up, even if nothing has happened.
    private static let calmTime = Duration.seconds(10)

    private struct State {
        var lastID = ""
        var wait = EventMemory.standardWait
        /// Whether the call that runs has brought an event.
        var hasEvent = false
        /// Whether a further request has no effect.
        var isRepeatable = true
    }

    private let longest: Int
    /// The state, guarded by the lock.
    private let state = Lock(State())

    init(longest: Int) {
        self.longest = longest
    }

    var lastID: String { state.withLock { $0.lastID } }

    func noteID(_ id: String) { state.withLock { $0.lastID = id } }

    func noteEvent() { state.withLock { $0.hasEvent = true } }

    func noteRetry(milliseconds: Int64) {
        state.withLock { $0.wait = .milliseconds(min(milliseconds, Self.longestWait)) }
    }

    @Sendable func parser(_ head: HTTP.Response) throws -> any StreamParser<ServerEvent> {
        guard head.status == 204 || head.mediaType?.lowercased() == "text/event-stream" else {
            throw DecodingFailure(
                contentType: head.mediaType, accepted: ["text/event-stream"], body: Data())
        }
        return EventParser(longest: longest, memory: self)
    }

    func prepare(_ request: inout HTTP.Request) {
        let id = state.withLock { state in
            state.isRepeatable = request.isReadOnly
            state.hasEvent = false
            return state.lastID
        }
        guard !id.isEmpty, id.utf8.count <= Self.longestID,
            id.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F || $0.value == 0x09 })
        else {
            return
        }
        request.headers["Last-Event-ID"] = id
    }

    func follow(_ head: HTTP.Response, lasting: Duration) -> SeriesStep {
        let events = state.withLock { $0.hasEvent } ? "" : " without an event"
        let end = TransportError(.lost, phase: .receiving, detail: "The server ended the stream\(events)")
        return head.status == 204 ? .over : again(because: end, or: .over, lasting)
    }

    func follow(_ failure: Failure, lasting: Duration) -> SeriesStep {
        again(because: nil, or: .failed(), lasting)
    }

    private func again(because cause: (any Error)?, or end: SeriesStep, _ lasting: Duration) -> SeriesStep {
        let state = state.withLock { $0 }
        return state.isRepeatable
            ? .again(because: cause, least: state.wait, isProgress: state.hasEvent || lasting >= Self.calmTime) : end
    }
}
