internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The session's events, in the order they arrive.
extension Exchange {
    /// Handles the head of a response; false to stop the transfer.
    func receive(_ response: URLResponse) -> Bool {
        guard let head = response as? HTTPURLResponse else {
            return true
        }
        // Linux also delivers interim responses before the final one (RFC 9110, 15.2), all but 101, which is not
        // interim.
        guard head.statusCode == 101 || !(100..<200).contains(head.statusCode) else {
            return state.update { $0.progress.isAnnounced = true } != nil
        }
        let hasBody = !isHead && head.statusCode != 304 && head.statusCode != 204
        let announced = AnnouncedLength.bytes(of: head) ?? 0
        let limit = responseLimit
        let problem = hasBody ? AnnouncedLength.problem(of: head) : nil
        let isTooLarge = hasBody && announced > Int64(limit)
        let goesOn: Void? = state.update { state in
            state.progress.head = head
            state.progress.bytesReceived = 0
            state.received = Data()
        }
        guard goesOn != nil else {
            return false
        }
        guard isTooLarge && pipe == nil || problem != nil else {
            // The caller of a stream resumes with the head; the body follows as it is taken.
            if pipe != nil {
                reply.end(with: .success(Reply(head: head, content: Data(), isWhole: false)))
            }
            return true
        }
        let tooLarge = "The response announces \(announced) bytes, but at most \(limit) are accepted"
        return refuse(problem == nil ? .tooLarge : .badResponse, problem ?? tooLarge, bytesReceived: 0)
    }

    /// Handles a part of the body; false to stop the transfer.
    func receive(_ data: Data) -> Bool {
        if let pipe {
            return receive(data, into: pipe)
        }
        let limit = responseLimit
        let received = state.update { state in
            state.progress.bytesReceived += Int64(data.count)
            if state.progress.bytesReceived <= Int64(limit) {
                if state.received.isEmpty {
                    state.received = data
                } else {
                    state.received.append(data)
                }
            }
            return state.progress.bytesReceived
        }
        guard let received else {
            // The body of a redirect may be small enough to keep the connection.
            return state.withLock { state in
                state.bytesAfterEnd += data.count
                return state.bytesAfterEnd <= 65_536
            }
        }
        guard received > Int64(limit) else {
            return true
        }
        return refuse(.tooLarge, "The response has more than the \(limit) bytes accepted", bytesReceived: received)
    }

    /// Ends with an error of the response; false, to stop the transfer.
    private func refuse(_ code: TransportError.Code, _ detail: String, bytesReceived: Int64? = nil) -> Bool {
        finish(.failure(TransportError(code, phase: .receiving, detail: detail, bytesReceived: bytesReceived)))
        return false
    }

    /// Hands a part to a stream; false to stop the transfer.
    ///
    /// On Linux, a session that is told to wait goes on with what it has, and sends the request again later. So there, a
    /// stream that is read too slowly ends.
    private func receive(_ data: Data, into body: any ResponsePipe) -> Bool {
        guard state.update({ $0.progress.bytesReceived += Int64(data.count) }) != nil else {
            return false
        }
        #if canImport(FoundationNetworking)
            body.push(data) {}
            guard body.unread <= Self.longestUnread else {
                let limit = ByteCount.text(Self.longestUnread)
                return refuse(.overrun, "More than \(limit) had arrived and were not read")
            }
        #else
            if body.push(data, drained: { [weak self] in self?.balance() }) {
                balance()
            }
        #endif
        return true
    }

    #if canImport(FoundationNetworking)
        /// How much may have arrived and not been read.
        static let longestUnread = 16 << 20
    #else
        /// Suspends the task while much waits to be read, and resumes it when that was read: "A task, while suspended,
        /// produces no network traffic and is not subject to timeouts" (URLSessionTask, `suspend()`).
        private func balance() {
            guard let body = pipe, let task = state.withLock({ $0.task }) else {
                return
            }
            isSuspended.withLock { isSuspended in
                let isFull = body.unread >= (isSuspended ? body.window / 2 : body.window)
                guard isFull != isSuspended else {
                    return
                }
                isSuspended = isFull
                isFull ? task.suspend() : task.resume()
            }
        }
    #endif

    /// Handles a redirect, which is not followed: the session delivers the response with its body, and ends the task.
    ///
    /// - Returns: False when the exchange is over, and the task no longer needed.
    func redirect(_ response: HTTPURLResponse) -> Bool {
        guard returnsRedirects else {
            state.update { $0.progress.head = response }
            finish(.success(Reply(head: response, content: Data())))
            return false
        }
        let goesOn: Void? = state.update { state in
            #if canImport(FoundationNetworking)
                state.isEnding = true
            #endif
        }
        return goesOn != nil
    }

    /// Handles the progress of the request body.
    func didSend(_ sent: Int64, of total: Int64) {
        state.update { state in
            state.progress.bytesSent = sent
            if total > 0 {
                state.progress.bytesToSend = total
            }
        }
    }

    /// Handles the wait of a session whose `waitsForConnectivity` is true: other calls get the place in the line, and
    /// the time of the attempt stands still. The session does not tell when the wait is over.
    ///
    /// - Returns: Whether there is a place to give back.
    func waitForConnectivity() -> Bool {
        let now = clock.now
        let note = state.update { state in
            state.waitsSince = state.waitsSince ?? now
            return state.note
        }
        note??("connectivity", "waiting for connectivity")
        return leavePlace()
    }

    /// Whether there is a place to give back; true once.
    func leavePlace() -> Bool {
        state.withLock { exchange(&$0.hasPlace, with: false) }
    }

    /// When the time of the attempt began to stand still; nil when it did not.
    var waitsSince: Duration? {
        state.withLock { $0.waitsSince }
    }

    /// Handles what the session has measured, before the end of the task.
    ///
    /// - Parameter hasBegun: Whether it began to send a request; nil when that is not known.
    func measured(hasBegun: Bool?, _ text: String) {
        let note = state.update { state in
            state.progress.hasBegun = hasBegun
            return state.note
        }
        note??("network", text)
    }

    /// Handles the events of a body that is read while it is sent.
    var contentEvents: OpenBody.Events {
        // Weak, because the exchange keeps the body.
        OpenBody.Events { [weak self] error in
            #if canImport(FoundationNetworking)
                // The session itself ends the task when it cannot read further.
                self?.finish(.failure(error))
            #else
                self?.end(with: error)
            #endif
        } ended: { [weak self] count in
            self?.state.update { $0.progress.bytesToSend = count }
        }
    }

    /// Handles the end of the task.
    func complete(_ response: URLResponse?, error: (any Error)?) {
        state.withLock { $0.content }?.taskEnded()
        if let error {
            if LibcurlErrorText.isOfTunnel(error.localizedDescription) {
                state.update { state in
                    state.progress = ExchangeProgress()
                    state.progress.hasBegun = false
                    state.received = Data()
                }
            }
            finish(.failure(error))
            return
        }
        let end = state.update { state in
            // Linux reports the head of a redirect without a target only here.
            state.progress.head = state.progress.head ?? response as? HTTPURLResponse
            return (head: state.progress.head, content: state.received)
        }
        guard let end, let head = end.head else {
            finish(.failure(TransportError(.badResponse, phase: .waiting, detail: "The response is not HTTP")))
            return
        }
        finish(.success(Reply(head: head, content: end.content)))
    }

    /// The body from its start, which the session needs when a reused connection turns out to be closed, and on Apple
    /// platforms always.
    ///
    /// If it cannot be reopened, the exchange fails: Linux would send the head again, and then wait for bytes already
    /// sent on the old connection.
    ///
    /// - Returns: Nil when there is no body, or when the exchange is over.
    func newBodyStream() -> InputStream? {
        let asked = state.update { state in
            defer { state.isContentAsked = true }
            return (state.outgoing, state.content, state.isContentAsked, state.progress.phase)
        }
        guard case (let outgoing?, let content, let isAsked, let phase)? = asked, !outgoing.body.isNone else {
            return nil
        }
        if let content, !isAsked {
            return BodyStream.make(content)
        }
        guard outgoing.body.unreadData == nil, outgoing.body.isReplayable else {
            let detail = "The reused connection was closed before a response came, and the body is not sent twice"
            end(with: TransportError(.lost, phase: phase == .waiting ? .waiting : .sending, detail: detail))
            return nil
        }
        do {
            let chunks = try outgoing.reopenBody(length: content?.length)
            content?.cancel()
            content?.taskEnded()
            let reopened = OpenBody(chunks, events: contentEvents)
            state.withLock { $0.content = reopened }
            if state.isOver {
                reopened.cancel()
            }
            return BodyStream.make(reopened)
        } catch {
            end(with: error)
            return nil
        }
    }
}
