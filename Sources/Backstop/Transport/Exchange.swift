internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One request and its response: collects what the session reports, and resumes the caller exactly once.
final class Exchange: Sendable {
    /// Everything that changes during the exchange.
    struct State {
        var task: URLSessionTask?
        #if canImport(FoundationNetworking)
            /// The session itself is about to end the task, and must not be interrupted.
            var isEnding = false
        #endif
        /// The task that opens the body.
        var opening: Task<Void, Never>?
        /// The request, to open its body again.
        var outgoing: OutgoingRequest?
        /// The opened file or stream; nil for another body.
        var content: OpenBody?
        /// Whether the session has asked for the content.
        var isContentAsked = false
        /// The progress; it does not change after the end, so that a failure shows nothing later.
        var progress = ExchangeProgress()
        var received = Data()
        /// The number of bytes that arrived after the end.
        var bytesAfterEnd = 0
        /// Whether it has a place in the line of its origin.
        var hasPlace = true
        /// When the session began to wait for connectivity, by the call's clock; nil while it has not.
        var waitsSince: Duration?
        /// Adds a line to the trace; nil after the end, because the call holds the exchange.
        var note: (@Sendable (_ name: String, _ text: String) -> Void)?
    }

    /// The origin whose connection the exchange uses.
    let origin: String
    let responseLimit: Int
    let isHead: Bool
    let returnsRedirects: Bool
    /// What resumes the caller: with the whole response, or with the head of a stream.
    let reply = OneShot<Reply, Void>()
    /// What hands the body over while it arrives; nil for a plain call.
    let pipe: (any ResponsePipe)?
    #if !canImport(FoundationNetworking)
        /// Whether the task is suspended until its stream is read; the lock also keeps suspending and resuming in order.
        let isSuspended = Lock(false)
    #endif
    let canceller: TaskCanceller
    let clock: any CallClock
    /// The state of the exchange, guarded by the lock: the session's queue and the caller's task both reach it.
    let state: OneShot<Reply, State>

    init(
        origin: String = "", responseLimit: Int, hasContent: Bool, isHead: Bool, returnsRedirects: Bool,
        canceller: TaskCanceller = TaskCanceller(), body: (any ResponsePipe)? = nil,
        clock: any CallClock = SystemClock(), note: (@Sendable (_ name: String, _ text: String) -> Void)? = nil
    ) {
        self.clock = clock
        pipe = body
        self.origin = origin
        self.canceller = canceller
        self.responseLimit = responseLimit
        self.isHead = isHead
        self.returnsRedirects = returnsRedirects
        var state = State(note: note)
        state.progress.hasContent = hasContent
        self.state = OneShot(state)
    }

    /// Sends the request and waits for the end.
    func run(_ outgoing: OutgoingRequest, in session: OwnedSession) async throws -> Reply {
        try await reply.value {
            begin(outgoing, in: session)
        } onCancel: {
            end(with: CancellationError())
        }
    }

    private func begin(_ outgoing: OutgoingRequest, in session: OwnedSession) {
        state.withLock { $0.outgoing = outgoing }
        guard outgoing.body.unreadData == nil else {
            start(outgoing, nil, in: session)
            return
        }
        // A task of its own, because nobody knows how long opening a stream takes, whatever is cancelled.
        let opening = Task { @concurrent in
            await open(outgoing, in: session)
        }
        if state.update({ $0.opening = opening }) == nil {
            opening.cancel()
        }
    }

    /// The progress.
    var progress: ExchangeProgress {
        state.withLock { $0.progress }
    }

    /// How many bytes of both bodies have moved.
    var bytesMoved: Int64 {
        state.withLock { $0.progress.bytesSent &+ $0.progress.bytesReceived }
    }

    /// The progress, with what has arrived of the response, for a failure to show.
    var transferProgress: TransferProgress {
        let (progress, content) = state.withLock { ($0.progress, $0.received) }
        guard let head = progress.head else {
            return TransferProgress(progress.phase)
        }
        var response = Reply(head: head, content: content).response.bounded(to: 65_536)
        if pipe != nil {
            response = response.withoutBody(ofSize: Int(clamping: progress.bytesReceived))
        }
        return TransferProgress(progress.phase, bytesReceived: progress.bytesReceived, response: response)
    }

    /// The error of the session as one of Backstop's.
    func mapped(_ error: any Error, timeout: Duration) -> any Error {
        let mapped = URLErrorMapping.error(for: error, after: progress, timeout: timeout) ?? error
        if let transport = mapped as? TransportError, transport.phase == .unknown {
            // A small body may be with the server before a byte of it is counted.
            state.withLock { state in
                if state.progress.hasContent {
                    state.progress.hasBegun = state.progress.hasBegun ?? true
                }
            }
        }
        return mapped
    }

    /// Stops the transfer, and resumes the caller at once.
    func end(with error: any Error) {
        finish(.failure(error)).map(canceller.cancel)
    }

    private func open(_ outgoing: OutgoingRequest, in session: OwnedSession) async {
        do {
            let chunks = try await outgoing.openBody()
            if chunks == nil {
                contentEvents.ended(0)
            }
            start(outgoing, chunks, in: session)
        } catch {
            finish(.failure(error))
        }
    }

    private func start(_ outgoing: OutgoingRequest, _ chunks: (any BlockingChunks)?, in session: OwnedSession) {
        #if canImport(FoundationNetworking)
            Self.entry.async { [self] in
                startTask(outgoing, chunks, in: session)
            }
        #else
            startTask(outgoing, chunks, in: session)
        #endif
    }

    #if canImport(FoundationNetworking)
        /// Where the tasks of sessions are made and started on Linux: on a thread of their own.
        ///
        /// All sessions of the process share one queue, and whoever makes or starts a task waits for it. The queue itself
        /// may wait for the next chunk of a stream, or read without a pause what a server sends in tiny chunks: none of
        /// the few threads that run Swift tasks may wait for that.
        private static let entry = DispatchQueue(label: "Backstop.URLSessionTransport.start")
    #endif

    private func startTask(_ outgoing: OutgoingRequest, _ chunks: (any BlockingChunks)?, in session: OwnedSession) {
        let content = chunks.map { OpenBody($0, events: contentEvents) }
        let task = outgoing.makeTask(in: session.session, content: content)
        session.delegate.add(self, for: task)
        let isBegun: Void? = state.update { state in
            state.task = task
            state.content = content
            #if canImport(FoundationNetworking)
                state.isContentAsked = true
            #endif
        }
        if isBegun != nil {
            task.resume()
        } else {
            content?.cancel()
            canceller.cancel(task)
        }
    }

    /// Sets the result, unless there is one, and ends the reading of the body.
    ///
    /// - Returns: The task, if it is still running.
    @discardableResult
    func finish(_ result: Result<Reply, any Error>) -> URLSessionTask? {
        let end = state.end(with: result) { state in
            defer { (state.task, state.opening, state.note) = (nil, nil, nil) }
            #if canImport(FoundationNetworking)
                let running = state.isEnding ? nil : state.task
            #else
                let running = state.task
            #endif
            return (task: running, opening: state.opening, content: state.content, note: state.note)
        }
        guard let end else {
            return nil
        }
        // Before the session is told to cancel: it may be waiting for a chunk.
        end.rest.opening?.cancel()
        end.rest.content?.cancel()
        pipe?.end(result.map { _ in })
        reply.end(with: result)
        return end.rest.task
    }
}
