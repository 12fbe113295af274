internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One request and its response: collects what the session reports, and resumes the caller exactly once.
final class Exchange: Sendable {
    /// What to do about a redirect.
    enum RedirectAnswer {
        /// The session is told not to follow, and gives the response with its body.
        case answer
        /// The exchange is over already; the task is of no more use.
        case leave
    }

    /// Everything that changes while the exchange runs.
    struct State {
        var continuation: CheckedContinuation<Reply, any Error>?
        var task: URLSessionTask?
        /// There is a result, and no other one counts.
        var isOver = false
        /// The result, when it came before there was somebody to give it to.
        var early: Result<Reply, any Error>?
        #if canImport(FoundationNetworking)
            /// The session is about to end the task by itself, and must not be disturbed.
            var isEnding = false
        #endif
        var body: HTTP.Body = .none
        /// The body, opened already, that the session has yet to ask for.
        var openBody: CountedBody?
        /// The length that was announced for a file or a stream; nil when none was.
        var bodyLength: UInt64?
        /// How far it had come; from its end on it stays as it was, so that a failure tells of nothing that came later.
        var progress = ExchangeProgress()
        var content = Data()
        /// How many bytes came although the exchange was over.
        var bytesAfterEnd = 0
    }

    /// The origin whose connections the exchange counts among.
    let origin: String
    let responseLimit: Int
    let isHead: Bool
    let returnsRedirects: Bool
    let canceller: TaskCanceller
    /// The state of the exchange, guarded by the lock: the session's queue and the caller's task both reach it.
    let state: Lock<State>

    init(
        origin: String = "", responseLimit: Int, hasContent: Bool, isHead: Bool, returnsRedirects: Bool,
        canceller: TaskCanceller = TaskCanceller()
    ) {
        self.origin = origin
        self.canceller = canceller
        self.responseLimit = responseLimit
        self.isHead = isHead
        self.returnsRedirects = returnsRedirects
        var state = State()
        state.progress.hasContent = hasContent
        self.state = Lock(state)
    }

    /// Sends the request and waits for the end.
    func run(_ outgoing: OutgoingRequest, in session: OwnedSession) async throws -> Reply {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard begin(continuation, body: outgoing.body) else {
                    return
                }
                guard outgoing.body.data == nil else {
                    start(outgoing, in: session)
                    return
                }
                // Opening a file or a stream may block, and this thread is one of the few that run all tasks.
                DispatchQueue.global().async {
                    self.start(outgoing, in: session)
                }
            }
        } onCancel: {
            end(with: CancellationError())
        }
    }

    /// How far it has come.
    var progress: ExchangeProgress {
        state.withLock { $0.progress }
    }

    /// How far it has come, with the response as far as that has, for a failure to show.
    var transferProgress: TransferProgress {
        let (progress, content) = state.withLock { ($0.progress, $0.content) }
        guard let head = progress.head else {
            return TransferProgress(progress.phase)
        }
        let response = Reply(head: head, content: content).response.bounded(to: 65_536)
        return TransferProgress(progress.phase, bytesReceived: progress.bytesReceived, response: response)
    }

    /// The error of the session as one of Backstop's.
    func mapped(_ error: any Error, request: HTTP.Request, timeout: Duration) -> any Error {
        guard let error = error as? URLError else {
            return error
        }
        return URLErrorMapping.error(for: error, after: progress, timeout: timeout)
    }

    /// Stops the transfer, and lets the caller go at once.
    func end(with error: any Error) {
        finish(.failure(error)).map(canceller.cancel)
    }

    private func begin(_ continuation: CheckedContinuation<Reply, any Error>, body: HTTP.Body) -> Bool {
        let early = state.withLock { state in
            if state.early == nil {
                state.continuation = continuation
                state.body = body
            }
            return state.early
        }
        if let early {
            continuation.resume(with: early)
        }
        return early == nil
    }

    private func start(_ outgoing: OutgoingRequest, in session: OwnedSession) {
        let length: UInt64?
        let (task, body): (URLSessionTask, CountedBody?)
        do {
            length = try OutgoingRequest.length(of: outgoing.body)
            (task, body) = try outgoing.makeTask(in: session.session, length: length, events: bodyEvents)
        } catch {
            finish(.failure(error))
            return
        }
        session.delegate.add(self, for: task)
        let goesOn = state.withLock { state in
            if !state.isOver {
                state.task = task
                state.openBody = body
                state.bodyLength = length
            }
            return !state.isOver
        }
        if goesOn {
            task.resume()
        } else {
            canceller.cancel(task)
        }
    }

    /// Gives the result, unless one was given before.
    ///
    /// - Returns: The task, if it still runs.
    @discardableResult
    func finish(_ result: Result<Reply, any Error>) -> URLSessionTask? {
        let end = state.withLock { $0.finish(result) }
        end?.continuation?.resume(with: result)
        return end?.task
    }
}

extension Exchange.State {
    /// What there was when the result came. It is let go outside the lock: the body closes a stream of the caller's.
    struct End {
        let continuation: CheckedContinuation<Reply, any Error>?
        let task: URLSessionTask?
        let body: CountedBody?
    }

    /// Takes the result; nil when there was one before.
    fileprivate mutating func finish(_ result: Result<Reply, any Error>) -> End? {
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
            openBody = nil
        }
        #if canImport(FoundationNetworking)
            return End(continuation: continuation, task: isEnding ? nil : task, body: openBody)
        #else
            return End(continuation: continuation, task: task, body: openBody)
        #endif
    }
}
