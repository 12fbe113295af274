/// What happened in a call, and when: attempts, waits, notes of interceptors and, with `tracesInterceptors`, the
/// interceptors themselves.
///
/// ``text`` draws it for a terminal, ``json`` writes it for machines.
public struct Trace: Sendable {
    /// An event.
    public struct Event: Sendable, Hashable {
        /// The kind of an event; later versions may add kinds.
        public struct Kind: Sendable, Hashable, CustomStringConvertible {
            /// The kind's name in ``Trace/json``.
            public let description: String

            /// A note of an interceptor.
            public static let note = Kind(description: "note")
            /// An interceptor's run.
            public static let interceptor = Kind(description: "interceptor")
        }

        /// When it began, since the start of the call.
        public let time: Duration
        /// The number of the attempt, from 1.
        public let attempt: Int
        /// The kind of event.
        public let kind: Kind
        /// The name for machines: the interceptor's, or the one it passed.
        public internal(set) var name: String
        /// The text for people; for interceptors, the result.
        public internal(set) var text: String
        /// How long it took; nil for notes.
        public internal(set) var duration: Duration?
        /// The depth in the chain, from 0; nil for notes.
        public internal(set) var depth: Int?
    }

    /// The call's name; empty when it has none.
    public internal(set) var name: String
    /// The call's number in this process; 0 for a trace created by hand.
    public let id: UInt64
    /// How long the call has taken so far.
    public let duration: Duration
    /// `ok` or the failure's code; nil while the call runs.
    public internal(set) var outcome: String?
    /// Why no further attempt was made; nil while the call runs, and when it succeeded.
    public internal(set) var stopReason: StopReason?
    /// The attempts, in order.
    public internal(set) var attempts: [Attempt]
    /// The events, in the order they ended. At most 1,000.
    public internal(set) var events: [Event]
    /// How many events were dropped because there were too many.
    public let droppedEvents: Int
    /// Knows the secrets of the call.
    var redaction = Redaction.standard
}

extension Trace {
    /// The trace as one line of JSON. Times are in milliseconds.
    public var json: String {
        let trace = withoutValues
        let stopped = stopReason.map { redaction.withoutValues(Excerpt.cut(Redaction.shown($0.description), to: 1000)) }
        return JSONWriter.object([
            ("name", JSONWriter.quoted(trace.name)),
            ("id", "\(id)"),
            ("durationMs", JSONWriter.number(duration.milliseconds)),
            ("outcome", JSONWriter.quoted(trace.outcome)),
            ("stopReason", JSONWriter.quoted(stopReason?.code)),
            ("stopped", JSONWriter.quoted(stopped)),
            ("attempts", "[" + trace.attempts.map(\.json).joined(separator: ",") + "]"),
            ("events", "[" + trace.events.map(\.json).joined(separator: ",") + "]"),
            ("droppedEvents", "\(droppedEvents)"),
        ])
    }

    /// The same without the secrets of the call in any of its texts. In a finished document, a value that a server chose
    /// could be a part of the structure.
    var withoutValues: Trace {
        let hide = redaction.withoutValues
        var trace = self
        trace.name = hide(name)
        trace.outcome = outcome.map(hide)
        for index in attempts.indices {
            guard case .failed(let code) = attempts[index].result else { continue }
            trace.attempts[index].result = .failed(code: hide(code))
        }
        for index in events.indices {
            trace.events[index].name = hide(events[index].name)
            trace.events[index].text = hide(events[index].text)
        }
        return trace
    }
}

extension Attempt {
    /// The attempt as a JSON object: number, start, wait and duration in milliseconds, wait reason, result.
    package var json: String {
        JSONWriter.object([
            ("number", "\(number)"),
            ("startMs", JSONWriter.number(start.milliseconds)),
            ("waitMs", JSONWriter.number(wait.milliseconds)),
            ("waitReason", JSONWriter.quoted(waitReason)),
            ("durationMs", JSONWriter.number(duration.milliseconds)),
            ("result", JSONWriter.quoted(result.description)),
        ])
    }
}

extension Trace.Event {
    fileprivate var json: String {
        JSONWriter.object(
            [
                ("timeMs", JSONWriter.number(time.milliseconds)), ("attempt", "\(attempt)"),
                ("kind", JSONWriter.quoted(kind.description)), ("name", JSONWriter.quoted(name)),
                ("text", JSONWriter.quoted(text)),
            ] + (duration.map { [("durationMs", JSONWriter.number($0.milliseconds))] } ?? [])
                + (depth.map { [("depth", "\($0)")] } ?? []))
    }
}

extension Trace: DescribedInDumps {
    /// The ``text``.
    public var description: String { text }
}
