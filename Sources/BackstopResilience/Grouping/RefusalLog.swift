internal import Backstop

/// The refusals of an interceptor for one key, from the first until a call is admitted after a while without any.
///
/// A limit that is reached refuses some calls and admits others, many times in a second. So an admitted call ends the
/// refusals only when nobody was refused for ``quiet``. A value without clock or lock.
struct Refusals {
    /// How long nobody must have been refused.
    static var quiet: Duration { .seconds(10) }

    private var count = 0
    /// When the last one was.
    private var last = Duration.zero

    /// Whether there are any that have not ended.
    var areOn: Bool { count > 0 }

    /// Counts one.
    ///
    /// - Returns: Whether it is the first.
    fileprivate mutating func add(at now: Duration) -> Bool {
        last = areOn ? max(last, now) : now
        count += 1
        return count == 1
    }

    /// Ends them if they are over when a call is admitted.
    ///
    /// - Returns: How many there were; nil when there are none, or they are not over.
    fileprivate mutating func end(at now: Duration) -> Int? {
        guard areOn, now - last >= Self.quiet else {
            return nil
        }
        return exchange(&count, with: 0)
    }
}

/// Tells the log when an interceptor begins to refuse calls of a key, and when that has ended: at most two entries in
/// ``Refusals/quiet`` for each key.
///
/// The refusals of a key that is forgotten are forgotten with it: to be told of their end is no reason to keep a key,
/// or those of people who have left would push out others.
final class RefusalLog: Sendable {
    let sink: (any LogSink)?
    private let subject: String
    private let events = EventsInOrder<(level: LogLevel, key: String, text: String)>()

    /// - Parameter subject: Who refuses, for example "The bulkhead".
    init(_ subject: String, to sink: (any LogSink)?) {
        self.subject = subject
        self.sink = sink
    }

    /// Counts a refused call; under the lock of the refusals. ``write()`` follows outside of it.
    func refuse(_ refusals: inout Refusals, of key: String, _ reason: String, at now: Duration) {
        if refusals.add(at: now) {
            events.add((.warning, key, "begins to refuse calls: \(reason)"))
        }
    }

    /// Ends the refusals with an admitted call, if they are over; under their lock.
    ///
    /// - Returns: Whether ``write()`` has to follow outside of it.
    func admit(_ refusals: inout Refusals, of key: String, at now: Duration) -> Bool {
        guard let count = refusals.end(at: now) else {
            return false
        }
        let calls = count == 1 ? "1 call was" : "\(count) calls were"
        events.add((.info, key, "admits calls again: \(calls) refused"))
        return true
    }

    /// Writes the events, in order and outside of all locks.
    func write() {
        events.tell { sink?.write($0.level, subject, of: $0.key, $0.text) }
    }
}

extension LogSink {
    /// Writes what an interceptor does with the calls of a key, without secrets; "" for calls without one.
    func write(_ level: LogLevel, _ subject: String, of key: String, _ text: String) {
        guard isEnabled(level) else {
            return
        }
        let name = key.isEmpty ? "" : " for \(Excerpt.printable(key))"
        write(LogEntry(level, Redaction.current.body("\(subject)\(name): \(text)", contentType: nil)))
    }
}
