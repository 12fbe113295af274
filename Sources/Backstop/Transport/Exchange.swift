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
        /// The result was given, or the exchange was cancelled.
        var isOver = false
        /// The session is about to end the task by itself, and must not be disturbed.
        var isEnding = false
        var body: HTTP.Body = .none
        var progress = ExchangeProgress()
        var content = Data()
    }

    let responseLimit: Int
    private let isHead: Bool
    private let returnsRedirects: Bool
    /// The state of the exchange, guarded by the lock: the session's queue and the caller's task both reach it.
    private let state: Lock<State>

    init(responseLimit: Int, hasContent: Bool, isHead: Bool, returnsRedirects: Bool) {
        self.responseLimit = responseLimit
        self.isHead = isHead
        self.returnsRedirects = returnsRedirects
        var state = State()
        state.progress.hasContent = hasContent
        self.state = Lock(state)
    }

    /// Sends the request and waits for the end.
    func run(
        _ outgoing: OutgoingRequest, session: URLSession, delegate: SessionDelegate
    ) async throws -> Reply {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard begin(continuation, body: outgoing.body) else {
                    return
                }
                guard outgoing.body.data == nil else {
                    start(outgoing, session: session, delegate: delegate)
                    return
                }
                // Opening a file or a stream may block, and this thread is one of the few that run all tasks.
                DispatchQueue.global().async {
                    self.start(outgoing, session: session, delegate: delegate)
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// What has happened so far.
    var progress: ExchangeProgress {
        state.withLock { $0.progress }
    }

    /// The response as far as it has come, for a failure to show; nil when none had begun.
    var partialResponse: HTTP.Response? {
        let (head, content) = state.withLock { ($0.progress.head, $0.content) }
        return head.map { Reply(head: $0, content: content).response.bounded(to: 65_536) }
    }

    /// The error of the session as one of Backstop's.
    func mapped(_ error: any Error, request: HTTP.Request, timeout: Duration) -> any Error {
        guard let error = error as? URLError else {
            return error
        }
        return URLErrorMapping.error(for: error, after: progress, timeout: timeout)
    }

    /// Stops the transfer, and lets the caller go at once.
    func cancel() {
        finish(.failure(CancellationError()))?.cancelSoon()
    }

    private func begin(_ continuation: CheckedContinuation<Reply, any Error>, body: HTTP.Body) -> Bool {
        let goesOn = state.withLock { state in
            guard !state.isOver else {
                return false
            }
            state.continuation = continuation
            state.body = body
            return true
        }
        if !goesOn {
            continuation.resume(throwing: CancellationError())
        }
        return goesOn
    }

    private func start(_ outgoing: OutgoingRequest, session: URLSession, delegate: SessionDelegate) {
        let task: URLSessionTask
        do {
            task = try outgoing.makeTask(in: session)
        } catch {
            finish(.failure(error))
            return
        }
        delegate.add(self, for: task)
        let goesOn = state.withLock { state in
            if !state.isOver {
                state.task = task
            }
            return !state.isOver
        }
        if goesOn {
            task.resume()
        } else {
            task.cancelSoon()
        }
    }

    /// Gives the result, unless one was given before.
    ///
    /// - Returns: The task, if it still runs.
    @discardableResult
    private func finish(_ result: Result<Reply, any Error>) -> URLSessionTask? {
        let (continuation, task) = state.withLock { state in
            guard !state.isOver else {
                return (CheckedContinuation<Reply, any Error>?.none, URLSessionTask?.none)
            }
            state.isOver = true
            defer {
                state.continuation = nil
                state.task = nil
            }
            return (state.continuation, state.isEnding ? nil : state.task)
        }
        continuation?.resume(with: result)
        return task
    }
}

extension Exchange {
    /// Takes the head of a response; false when the transfer is to be stopped.
    func receive(_ response: URLResponse) -> Bool {
        guard let head = response as? HTTPURLResponse else {
            return true
        }
        // Linux hands over interim responses as well; the real one replaces them.
        let announced = head.expectedContentLength
        let limit = responseLimit
        let isTooLarge = !isHead && head.statusCode != 304 && announced > Int64(limit)
        let isOver = state.withLock { state in
            state.progress.head = head
            state.progress.bytesReceived = 0
            state.content = Data()
            return state.isOver
        }
        guard isTooLarge, !isOver else {
            return !isOver
        }
        finish(
            .failure(
                TransportError(
                    .tooLarge, phase: .receiving,
                    detail: "The response announces \(announced) bytes, and at most \(limit) are accepted",
                    bytesReceived: 0)))
        return false
    }

    /// Takes a part of the body; false when the transfer is to be stopped.
    func receive(_ data: Data) -> Bool {
        let limit = responseLimit
        let (isOver, received) = state.withLock { state in
            state.progress.bytesReceived += Int64(data.count)
            if !state.isOver, state.progress.bytesReceived <= Int64(limit) {
                if state.content.isEmpty {
                    state.content = data
                } else {
                    state.content.append(data)
                }
            }
            return (state.isOver, state.progress.bytesReceived)
        }
        guard !isOver else {
            // What comes after a redirect's head may be small enough to keep the connection.
            return received <= 65_536
        }
        guard received > Int64(limit) else {
            return true
        }
        finish(
            .failure(
                TransportError(
                    .tooLarge, phase: .receiving, detail: "The response has more than the \(limit) bytes accepted",
                    bytesReceived: received)))
        return false
    }

    /// Takes a redirect.
    func redirect(_ response: HTTPURLResponse) -> RedirectAnswer {
        guard returnsRedirects else {
            state.withLock { $0.progress.head = response }
            finish(.success(Reply(head: response, content: Data())))
            return .leave
        }
        return state.withLock { state in
            guard !state.isOver else {
                return .leave
            }
            state.isEnding = true
            return .answer
        }
    }

    /// Takes how much of the body went out.
    func didSend(_ sent: Int64, of total: Int64) {
        state.withLock { state in
            state.progress.bytesSent = sent
            state.progress.bytesToSend = total
        }
    }

    /// Takes the end of the task.
    func complete(_ response: URLResponse?, error: (any Error)?) {
        if let error {
            finish(.failure(error))
            return
        }
        let (head, content) = state.withLock { state in
            // Linux reports the head of a redirect that leads nowhere only here.
            let head = state.progress.head ?? (response as? HTTPURLResponse)
            state.progress.head = head
            return (head, state.content)
        }
        guard let head else {
            finish(.failure(TransportError(.badResponse, phase: .waiting, detail: "The answer is not one by HTTP")))
            return
        }
        finish(.success(Reply(head: head, content: content)))
    }

    /// The body from its start, where the session has to send it again; nil when that is not possible.
    func newBodyStream() -> InputStream? {
        let body = state.withLock { $0.body }
        guard case .stream(let stream) = body, stream.isReplayable else {
            return nil
        }
        return try? stream.open()
    }
}
