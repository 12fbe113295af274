internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One request and its response: collects what the session reports, and resumes the caller exactly once.
final class Exchange: Sendable {
    /// Everything that changes during the exchange.
    final class State {
        var continuation: CheckedContinuation<Reply, any Error>?
        var task: URLSessionTask?
        /// There is a result; any other is ignored.
        var isOver = false
        /// The result, if it came before the continuation.
        var early: Result<Reply, any Error>?
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
    /// What hands the body over while it arrives; nil for a plain call.
    let body: (any ResponsePipe)?
    #if !canImport(FoundationNetworking)
        /// Whether the task is suspended until its stream is read; the lock also keeps suspending and resuming in order.
        let isSuspended = Lock(false)
    #endif
    let canceller: TaskCanceller
    let clock: any CallClock
    /// The state of the exchange, guarded by the lock: the session's queue and the caller's task both reach it.
    let state: Lock<State>

    init(
        origin: String = "", responseLimit: Int, hasContent: Bool, isHead: Bool, returnsRedirects: Bool,
        canceller: TaskCanceller = TaskCanceller(), body: (any ResponsePipe)? = nil,
        clock: any CallClock = SystemClock(), note: (@Sendable (_ name: String, _ text: String) -> Void)? = nil
    ) {
        self.clock = clock
        self.body = body
        self.origin = origin
        self.canceller = canceller
        self.responseLimit = responseLimit
        self.isHead = isHead
        self.returnsRedirects = returnsRedirects
        let state = State()
        state.progress.hasContent = hasContent
        state.note = note
        self.state = Lock(state)
    }

    /// Sends the request and waits for the end.
    func run(_ outgoing: OutgoingRequest, in session: OwnedSession) async throws -> Reply {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard begin(continuation, outgoing) else {
                    return
                }
                guard outgoing.body.data == nil else {
                    start(outgoing, nil, in: session)
                    return
                }
                // A task of its own, because nobody knows how long opening a stream takes, whatever is cancelled.
                let opening = Task { @concurrent in
                    await open(outgoing, in: session)
                }
                let isOver = state.withLock { state in
                    state.opening = opening
                    return state.isOver
                }
                if isOver {
                    opening.cancel()
                }
            }
        } onCancel: {
            end(with: CancellationError())
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
        if body != nil {
            response = response.withoutBody(ofSize: Int(clamping: progress.bytesReceived))
        }
        return TransferProgress(progress.phase, bytesReceived: progress.bytesReceived, response: response)
    }

    /// The error of the session as one of Backstop's.
    func mapped(_ error: any Error, request: HTTP.Request, timeout: Duration) -> any Error {
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

    private func begin(_ continuation: CheckedContinuation<Reply, any Error>, _ outgoing: OutgoingRequest) -> Bool {
        let early = state.withLock { state in
            if state.early == nil {
                state.continuation = continuation
                state.outgoing = outgoing
            }
            return state.early
        }
        if let early {
            continuation.resume(with: early)
        }
        return early == nil
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
            SessionEntry.enter { [self] in
                startTask(outgoing, chunks, in: session)
            }
        #else
            startTask(outgoing, chunks, in: session)
        #endif
    }

    private func startTask(_ outgoing: OutgoingRequest, _ chunks: (any BlockingChunks)?, in session: OwnedSession) {
        let content = chunks.map { OpenBody($0, events: contentEvents) }
        let task = outgoing.makeTask(in: session.session, content: content)
        session.delegate.add(self, for: task)
        let goesOn = state.withLock { state in
            if !state.isOver {
                state.task = task
                state.content = content
                #if canImport(FoundationNetworking)
                    state.isContentAsked = true
                #endif
            }
            return !state.isOver
        }
        if goesOn {
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
        let end = state.withLock { $0.finish(result) }
        // Before the session is told to cancel: it may be waiting for a chunk.
        end?.opening?.cancel()
        end?.content?.cancel()
        if end != nil {
            body?.end(result.map { _ in })
        }
        end?.continuation?.resume(with: result)
        return end?.task
    }
}

extension Exchange.State {
    /// The state when the result was set. It is used outside the lock: cancelling runs the caller's code.
    struct End {
        let continuation: CheckedContinuation<Reply, any Error>?
        let task: URLSessionTask?
        let opening: Task<Void, Never>?
        let content: OpenBody?
    }

    /// Sets the result; nil when there already was one.
    fileprivate func finish(_ result: Result<Reply, any Error>) -> End? {
        guard !isOver else {
            return nil
        }
        isOver = true
        if continuation == nil {
            early = result
        }
        defer {
            continuation = nil
            task = nil
            opening = nil
            note = nil
        }
        #if canImport(FoundationNetworking)
            let running = isEnding ? nil : task
        #else
            let running = task
        #endif
        return End(continuation: continuation, task: running, opening: opening, content: content)
    }
}
