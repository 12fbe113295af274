internal import Backstop
internal import BackstopCore
public import BackstopStreams

extension StreamFormat where Element == ServerEvent {
    /// Events that a server sends (`text/event-stream`, WHATWG HTML, 9.2), up to 1 MiB each, from one connection after
    /// the other.
    ///
    /// ```swift
    /// func watch(_ client: Client) async throws(Failure) {
    ///     for try await event in try await client.stream("prices", as: .events) where event.type == "price" {
    ///         print(event.data)
    ///     }
    /// }
    /// ```
    /// When a connection ends or is lost, the next call goes on with the last id (`Last-Event-ID`), after the time that
    /// the server asks for (`retry`, 3 s unless it does, at most an hour) and at least the retry policy's wait. The loop
    /// ends when the server answers 204. It throws when the policy gives up: connections that bring no event
    /// and last less than 10 s count as its attempts, and are taken from its budget.
    ///
    /// An id of more than 4096 bytes, or with a control character other than a tab, is not sent back.
    ///
    /// A request that does more than read, such as a POST, is made once, and the loop ends with its
    /// response.
    public static var events: StreamFormat { events() }

    /// The same with other settings.
    ///
    /// - Parameters:
    ///   - reconnects: Whether it goes on when a connection ends; false for a server that ends a stream by ending the
    ///     connection.
    ///   - longest: How many bytes an event may have, clamped to at least 1; a longer one is `transport.tooLarge`.
    public static func events(reconnects: Bool = true, longest: Int = 1 << 20) -> StreamFormat {
        let accept = "text/event-stream"
        let longest = max(1, longest)
        return reconnects
            ? StreamFormat(accept: accept) { EventMemory(longest: longest) }
            : StreamFormat(accept: accept) { try EventMemory(longest: longest).parser($0) }
    }

    /// Makes a parser of events from one connection, which are events without data as well if they have a type.
    package static func typedParser(longest: Int) -> any StreamParser<ServerEvent> {
        EventParser(longest: longest, memory: EventMemory(longest: longest), isDataNeeded: false)
    }
}
