internal import Backstop
internal import BackstopCore

/// The one pass of a reader over a stream, shared by all copies of its iterator. With the last of them, the call ends.
///
/// One task at a time uses it, as any iterator.
final class StreamReading<Element: Sendable> {
    private let stream: HTTP.Stream<Element>
    /// Whether another one reads the stream already.
    private let isRefused: Bool
    // Each element is asked for by itself: a check for overlapping accesses would cost more than the rest.
    @exclusivity(unchecked) private var elements: [Element] = []
    @exclusivity(unchecked) private var position = 0
    private var isOver = false
    /// How often accounts had changed when that of the call was last confirmed.
    @exclusivity(unchecked) private var accountChanges = -1

    init(_ stream: HTTP.Stream<Element>, isRefused: Bool) {
        self.stream = stream
        self.isRefused = isRefused
    }

    deinit {
        // Nobody else can read it.
        if !isRefused {
            stream.cancel()
        }
    }

    /// Whether there is an element at hand, and nothing has happened since the last.
    var isReady: Bool {
        position < elements.count && !Task.isCancelled && AccountChanges.count == accountChanges
            && stream.reader.handoff.closed == nil
    }

    /// The element at hand.
    func take() -> Element {
        defer { position += 1 }
        return elements[position]
    }

    /// The next element in any case; nil at the end.
    nonisolated(nonsending) func next() async throws(Failure) -> Element? {
        guard !isOver else {
            return nil
        }
        // Whatever comes, it is the last unless there is more.
        isOver = true
        guard !isRefused else {
            let failure = stream.legs.failure(StreamIsReadError())
            await stream.observe(failure)
            throw failure
        }
        if position == elements.count {
            (elements, position) = ([], 0)
            guard let more = try await stream.more(), !more.isEmpty else {
                return nil
            }
            elements = more
        }
        let changes = AccountChanges.count
        do {
            try stream.check()
        } catch {
            try await fail(with: error)
        }
        accountChanges = changes
        isOver = false
        return take()
    }

    /// Ends the call with an error of the reader's.
    ///
    /// - Throws: The failure of the call.
    nonisolated(nonsending) func fail(with error: any Error) async throws(Failure) -> Never {
        isOver = true
        elements = []
        try await stream.fail(with: error)
    }
}

extension StreamReading: DescribedInDumps {
    /// Without an element.
    var description: String { "the pass of a reader over a stream of \(Element.self)" }
}

/// A stream has one reader.
private struct StreamIsReadError: AdvisingError, CustomStringConvertible {
    var description: String { "The stream is read already: it has one reader, and one pass" }
    var nextStep: String { "Read the stream once, and keep what is needed again, or open another." }
}
