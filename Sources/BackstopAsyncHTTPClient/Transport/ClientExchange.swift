#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import Backstop
    internal import BackstopCore
    internal import Foundation
    internal import NIOCore
    internal import NIOHTTP1

    /// One request and its response: collects what the library reports, and resumes the caller exactly once.
    ///
    /// The library calls it on the event loop of the request; the caller's task, timers and cancellation come from
    /// elsewhere.
    final class ClientExchange: HTTPClientResponseDelegate {
        typealias Response = Void

        /// Everything that changes during the exchange.
        struct State {
            var task: HTTPClient.Task<Void>?
            var timer: LimitTimer?
            /// When the last byte came or went, if the time without one is limited.
            var lastActivity: Duration?
            /// The progress; it does not change after the end, so that a failure shows nothing later.
            var progress = ClientProgress()
            let start = ClientExchange.clock.now
            /// When the head of the request was sent.
            var sent: Duration?
            /// When the head of the response came.
            var answered: Duration?
            var content = Data()
            var trailers: [(name: String, value: String)] = []
            /// Whether the response began before the request was sent, and ends the upload.
            var endsUpload = false
            /// Whether the response is complete after a silence, because the library does not report its end.
            var endsInSilence = false
            /// Whether the body goes to a stream, which watches the time itself.
            var isStreaming = false

            mutating func setHead(_ head: HTTPResponseHead) {
                progress.head = head
                answered = ClientExchange.clock.now
            }
        }

        private let url: URL
        private let body: OutgoingBody
        private let responseLimit: Int
        private let isHead: Bool
        /// Whether the response was asked for in the encodings that the library decodes, and no others.
        private let decodes: Bool
        /// Whether to end the exchange at a redirect, before the client follows it.
        private let takesRedirects: Bool
        /// Learns that a response has begun, and whether the connection is shared with others.
        private let begun: @Sendable (_ isMultiplexed: Bool) -> Void
        /// What hands the body over while it arrives, and the head before it; nil for a plain call.
        private let stream: (head: OneShot<HTTP.Response, Void>, body: any ResponsePipe)?
        /// The state of the exchange, guarded by the lock.
        private let state = OneShot<HTTP.Response, State>(State())

        init(
            url: URL, body: OutgoingBody, responseLimit: Int, isHead: Bool, decodes: Bool, takesRedirects: Bool,
            pipe: (any ResponsePipe)?, begun: @escaping @Sendable (_ isMultiplexed: Bool) -> Void
        ) {
            stream = pipe.map { (OneShot(), $0) }
            self.url = url
            self.body = body
            self.responseLimit = responseLimit
            self.isHead = isHead
            self.decodes = decodes
            self.takesRedirects = takesRedirects
            self.begun = begun
        }

        /// Sends the request and waits for the end.
        func run(
            _ request: HTTPClient.Request, on client: HTTPClient, loop: any EventLoop
        ) async throws -> HTTP.Response {
            try await state.value {
                start(request, on: client, loop: loop)
            } onCancel: {
                end(with: CancellationError())
            }
        }

        /// Sends the request, and waits for the head of the response.
        ///
        /// - Returns: The head, and the body, which arrives only as it is taken.
        func open(
            _ request: HTTPClient.Request, on client: HTTPClient, loop: any EventLoop
        ) async throws -> (head: HTTP.Response, body: any ResponsePipe) {
            guard let stream else {
                throw TransportError(.unknown, phase: .connecting, detail: "The exchange is not one of a stream")
            }
            let head = try await stream.head.value {
                start(request, on: client, loop: loop)
            } onCancel: {
                end(with: CancellationError())
            }
            return (head, stream.body)
        }

        /// Leaves the time without a byte to the stream, which waits for its reader as well.
        func beginStreaming() {
            state.withLock { $0.isStreaming = true }
            stopTimer()
        }

        /// The fields after the content, once it has ended.
        var trailers: [(name: String, value: String)] {
            state.withLock { $0.trailers }
        }

        /// The progress.
        var progress: ClientProgress {
            state.withLock { $0.progress }
        }

        /// The progress, with what has arrived of the response, for a failure to show.
        var transferProgress: TransferProgress {
            let (progress, content) = state.withLock { ($0.progress, $0.content) }
            guard let head = progress.head else {
                return TransferProgress(progress.phase)
            }
            var response = Self.response(head, content, trailers: [], url: url).bounded(to: 65_536)
            if stream != nil {
                response = response.withoutBody(ofSize: Int(clamping: progress.bytesReceived))
            }
            return TransferProgress(.receiving, bytesReceived: progress.bytesReceived, response: response)
        }

        /// What was measured, as a line of the trace.
        var timing: @Sendable () -> String {
            let (start, sent, answered, version) = state.withLock {
                ($0.start, $0.sent, $0.answered, $0.progress.head?.version)
            }
            return {
                ExchangeTiming.text(
                    protocolName: version.map(Self.protocolName) ?? (sent == nil ? nil : "no response"),
                    [
                        ("connection", sent.map { $0 - start }),
                        ("first byte", sent.flatMap { sent in answered.map { $0 - sent } }),
                    ])
            }
        }

        /// Stops the transfer, and resumes the caller at once.
        func end(with error: any Error) {
            finish(.failure(error))?.fail(reason: error)
        }

        /// Stops the transfer at the limit of its attempt, unless its body is a stream's already.
        func expire(with error: TimeoutError) {
            if stream?.body.expire() != false {
                end(with: error)
            }
        }

        /// Ends the exchange when no byte has come or gone for a time.
        func limitIdleTime(to limit: Duration) {
            state.withLock { $0.lastActivity = Self.clock.now }
            watch(for: limit, limit: limit)
        }

        /// How many bytes of both bodies have moved, asked when more of them means more time: that ends with a silence.
        func bytesMoved(idle limit: Duration) -> Int64 {
            let (moved, isWatched) = state.withLock {
                ($0.progress.bytesSent &+ $0.progress.bytesReceived, $0.lastActivity != nil)
            }
            if !isWatched {
                limitIdleTime(to: limit)
            }
            return moved
        }

        /// Stops watching the time.
        func stopTimer() {
            state.withLock { state in
                defer { state.timer = nil }
                return state.timer
            }?.cancel()
        }

        private static let clock = SystemClock()

        private func watch(for duration: Duration, limit: Duration) {
            let timer = LimitTimer(after: duration, clock: Self.clock) { [weak self] in
                self?.checkActivity(limit: limit)
            }
            if state.update({ $0.timer = timer }) == nil {
                timer.cancel()
            }
        }

        private func checkActivity(limit: Duration) {
            let (last, endsInSilence, isStreaming) = state.withLock {
                ($0.lastActivity ?? .zero, $0.endsInSilence, $0.isStreaming)
            }
            guard !isStreaming || endsInSilence else {
                return
            }
            let left = last + limit - Self.clock.now
            if left > .zero {
                watch(for: left, limit: limit)
            } else if endsInSilence {
                complete()?.fail(reason: HTTPClientError.cancelled)
            } else {
                end(with: TimeoutError(.silence, after: limit))
            }
        }

        private func start(_ request: HTTPClient.Request, on client: HTTPClient, loop: any EventLoop) {
            var request = request
            request.body = body.body(on: loop)
            // A client of the app has no handler that keeps an early answer from ending the process, which takes two loops.
            let task = client.execute(
                request: request, delegate: self,
                eventLoop: takesRedirects && body.upload != nil ? .delegateAndChannel(on: loop) : .delegate(on: loop))
            if state.update({ $0.task = task }) == nil {
                task.fail(reason: HTTPClientError.cancelled)
            } else if takesRedirects {
                // Only a client of the app can be shut down, and then the delegate is never called.
                task.futureResult.whenFailure { self.finish(.failure($0)) }
            }
        }

        /// Sets the result, unless there is one.
        ///
        /// - Returns: The task, if it is still running.
        @discardableResult
        private func finish(_ result: Result<HTTP.Response, any Error>) -> HTTPClient.Task<Void>? {
            guard
                let (task, resume) = state.end(
                    with: result,
                    { state in
                        defer { state.task = nil }
                        return state.task
                    })
            else {
                return nil
            }
            body.upload?.stop()
            if let stream {
                stream.head.end(with: result)
                stream.body.end(result.map { _ in })
            }
            resume()
            return task
        }
    }

    /// The library's events.
    extension ClientExchange {
        func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
            update { state in
                state.sent = Self.clock.now
                state.progress.phase = self.body.isNone ? .waiting : .sending
            }
        }

        func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) {
            update { $0.progress.bytesSent += Int64(part.readableBytes) }
            body.upload?.partSent()
        }

        func didSendRequest(task: HTTPClient.Task<Void>) {
            update { $0.progress.phase = .waiting }
        }

        func didVisitURL(task: HTTPClient.Task<Void>, _ request: HTTPClient.Request, _ head: HTTPResponseHead) {
            if head.status.code >= 300 {
                // From here on, the library neither sends the rest of the body nor says so.
                body.upload?.pause()
                update { $0.endsUpload = self.body.upload != nil && $0.progress.phase == .sending }
            }
            if takesRedirects, Self.redirects.contains(Int(head.status.code)), head.headers.contains(name: "Location") {
                update { $0.setHead(head) }
                finish(.success(Self.response(head, Data(), trailers: [], url: url)))
                task.fail(reason: HTTPClientError.cancelled)
            }
        }

        /// The statuses of which the library follows redirects.
        private static let redirects: Set<Int> = [301, 302, 303, 304, 305, 307, 308]

        func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
            begun(head.version.major == 2)
            let announced = announcedLength(of: head)
            update { state in
                state.setHead(head)
                state.progress.bytesReceived = 0
                if let announced, announced <= self.responseLimit, self.stream == nil {
                    // What a server only announces costs little.
                    state.content.reserveCapacity(min(announced, 65_536))
                }
            }
            if let announced, announced > responseLimit, stream == nil {
                return fail(
                    task,
                    TransportError(
                        .tooLarge, phase: .receiving,
                        detail: "The response announces \(announced) bytes, but at most \(responseLimit) are accepted",
                        bytesReceived: 0))
            }
            if hasContent(head), let name = Self.transferEncoding(of: head) {
                return fail(
                    task,
                    TransportError(
                        .badResponse, phase: .receiving,
                        detail: "The transfer encoding is \(name), which nobody asked for", bytesReceived: 0))
            }
            if decodes, hasContent(head), let name = Self.unknownEncoding(of: head) {
                return fail(
                    task,
                    TransportError(
                        .badResponse, phase: .receiving,
                        detail: "The content encoding is \(name), but gzip and deflate were asked for: set "
                            + "Accept-Encoding to decode others yourself",
                        bytesReceived: 0))
            }
            stream?.head.end(with: .success(Self.response(head, Data(), trailers: [], url: url)))
            finishEarly(task, received: 0)
            watchForSilence(in: head)
            return task.eventLoop.makeSucceededVoidFuture()
        }

        func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
            switch EndPart(buffer) {
            case .trailers(let fields):
                update { $0.trailers = fields }
                finishEarly(task, received: .max)
                return task.eventLoop.makeSucceededVoidFuture()
            case .failure(let error):
                return fail(task, error)
            case nil:
                break
            }
            var received: Int64 = 0
            update { state in
                state.progress.bytesReceived += Int64(buffer.readableBytes)
                received = state.progress.bytesReceived
                if received <= Int64(self.responseLimit), self.stream == nil {
                    buffer.withUnsafeReadableBytes { bytes in
                        state.content.append(contentsOf: bytes)
                    }
                }
            }
            if let stream {
                return hand(over: buffer, to: stream.body, task, received: received)
            }
            guard received > Int64(responseLimit) else {
                finishEarly(task, received: received)
                return task.eventLoop.makeSucceededVoidFuture()
            }
            return fail(task, ClientErrorTable.tooLarge(limit: responseLimit, received: received))
        }

        /// Hands a part to a stream; the next is read once there is room for it.
        private func hand(
            over buffer: ByteBuffer, to body: any ResponsePipe, _ task: HTTPClient.Task<Void>, received: Int64
        ) -> EventLoopFuture<Void> {
            let room = task.eventLoop.makePromise(of: Void.self)
            if !body.push(Self.bytes(of: buffer), drained: { room.succeed() }) {
                room.succeed()
            }
            finishEarly(task, received: received)
            return room.futureResult
        }

        func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
            finish(.failure(error))
        }

        func didFinishRequest(task: HTTPClient.Task<Void>) {
            complete()
        }

        /// Ends the exchange with the response as it is now.
        ///
        /// - Returns: The task, if it is still running.
        @discardableResult
        private func complete() -> HTTPClient.Task<Void>? {
            let (head, content, trailers) = state.withLock { state in
                // Nothing else needs the bytes any more, and a failure shows those of the response.
                (state.progress.head, state.content, state.trailers)
            }
            guard let head else {
                return finish(.failure(TransportError(.badResponse, phase: .waiting, detail: "There was no response")))
            }
            return finish(.success(Self.response(head, content, trailers: trailers, url: url)))
        }

        /// Ends the exchange, and its connection, with the last byte of a response to a request that is not sent yet:
        /// the library would wait for the rest of the request, or keep the connection for it.
        ///
        /// - Parameter received: How much of the response has arrived; the most there can be at its end.
        private func finishEarly(_ task: HTTPClient.Task<Void>, received: Int64) {
            guard let upload = body.upload, !upload.isComplete else {
                return
            }
            guard !state.isOver, let head = state.withLock({ $0.progress.head }) else {
                // Whoever has ended the exchange fails the task as well, but perhaps after the end of the response: the
                // library would wait for the rest of the request then, and the connection be lost.
                return task.fail(reason: HTTPClientError.cancelled)
            }
            let announced = hasContent(head) ? announcedLength(of: head).map(Int64.init) : 0
            if received >= announced ?? .max {
                complete()
                task.fail(reason: HTTPClientError.cancelled)
            }
        }

        /// Ends the exchange at the first longer silence of a response that came before the request was sent, if it has
        /// no announced length and the client is the app's.
        ///
        /// The library reports the end of such a response only together with content, and otherwise waits for the rest
        /// of the request, which the server does not want (RFC 9112, 9.5). Nothing that it tells a delegate tells the
        /// end, and the handler of our own clients cannot be added to a client of the app.
        private func watchForSilence(in head: HTTPResponseHead) {
            guard takesRedirects, hasContent(head), announcedLength(of: head) == nil else {
                return
            }
            let ends = state.update { state in
                state.endsInSilence = state.endsUpload
                state.lastActivity = state.endsUpload ? Self.clock.now : state.lastActivity
                return state.endsUpload
            }
            if ends == true {
                stopTimer()
                watch(for: Self.longestPause, limit: Self.longestPause)
            }
        }

        /// The longest pause within a response that came before the request was sent: content that was made before it
        /// comes without any.
        private static let longestPause = Duration.seconds(1)

        private func update(_ change: (inout State) -> Void) {
            state.update { state in
                change(&state)
                if state.lastActivity != nil {
                    state.lastActivity = Self.clock.now
                }
            }
        }

        private func fail(_ task: HTTPClient.Task<Void>, _ error: any Error) -> EventLoopFuture<Void> {
            finish(.failure(error))
            return task.eventLoop.makeFailedFuture(error)
        }

        private func hasContent(_ head: HTTPResponseHead) -> Bool {
            !isHead && head.status != .notModified && head.status != .noContent
        }

        /// The announced length of the content; nil when there is none, or it is that of the encoded content.
        private func announcedLength(of head: HTTPResponseHead) -> Int? {
            guard hasContent(head), let text = head.headers.first(name: "Content-Length"), let length = Int(text),
                Self.encoding(of: head) == nil
            else {
                return nil
            }
            return length
        }
    }
#endif
