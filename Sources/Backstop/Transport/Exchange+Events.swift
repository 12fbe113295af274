internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What the session reports, in the order in which it comes.
extension Exchange {
    /// Takes the head of a response; false when the transfer is to be stopped.
    func receive(_ response: URLResponse) -> Bool {
        guard let head = response as? HTTPURLResponse else {
            return true
        }
        // Linux hands over interim responses as well (RFC 9110, 15.2), all but 101, which is none, before the real one.
        guard head.statusCode == 101 || !(100..<200).contains(head.statusCode) else {
            return state.withLock { state in
                guard !state.isOver else {
                    return false
                }
                state.progress.isAnnounced = true
                return true
            }
        }
        let announced = head.expectedContentLength
        let limit = responseLimit
        let isTooLarge = !isHead && head.statusCode != 304 && announced > Int64(limit)
        let isOver = state.withLock { state in
            guard !state.isOver else {
                return true
            }
            state.progress.head = head
            state.progress.bytesReceived = 0
            state.content = Data()
            return false
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
            guard !state.isOver else {
                state.bytesAfterEnd += data.count
                return (true, Int64(state.bytesAfterEnd))
            }
            state.progress.bytesReceived += Int64(data.count)
            if state.progress.bytesReceived <= Int64(limit) {
                if state.content.isEmpty {
                    state.content = data
                } else {
                    state.content.append(data)
                }
            }
            return (false, state.progress.bytesReceived)
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
            state.withLock { state in
                if !state.isOver {
                    state.progress.head = response
                }
            }
            finish(.success(Reply(head: response, content: Data())))
            return .leave
        }
        return state.withLock { state in
            guard !state.isOver else {
                return .leave
            }
            #if canImport(FoundationNetworking)
                state.isEnding = true
            #endif
            return .answer
        }
    }

    /// Takes how much of the body went out.
    func didSend(_ sent: Int64, of total: Int64) {
        state.withLock { state in
            guard !state.isOver else {
                return
            }
            state.progress.bytesSent = sent
            if total > 0 {
                state.progress.bytesToSend = total
            }
        }
    }

    /// What a body tells that is read while it is sent.
    var bodyEvents: CountedBody.Events {
        CountedBody.Events { [self] error in
            #if canImport(FoundationNetworking)
                // The session ends the task by itself when it cannot read on.
                finish(.failure(error))
            #else
                end(with: error)
            #endif
        } ended: { [self] count in
            state.withLock { state in
                if !state.isOver {
                    state.progress.bytesToSend = Int64(clamping: count)
                }
            }
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
            if !state.isOver, state.progress.head == nil {
                state.progress.head = response as? HTTPURLResponse
            }
            return (state.progress.head, state.content)
        }
        guard let head else {
            finish(.failure(TransportError(.badResponse, phase: .waiting, detail: "The answer is not one by HTTP")))
            return
        }
        finish(.success(Reply(head: head, content: content)))
    }

    /// The body from its start, which the session needs when a kept connection turned out to be closed, and Apple's
    /// systems in any case.
    ///
    /// Where it cannot be had again, the exchange fails: Linux would send the head once more, and then wait for bytes
    /// that have gone out on the old connection already.
    ///
    /// - Returns: Nil when there is no body, or when the exchange is over.
    func newBodyStream() -> InputStream? {
        let (body, length, open, isOver) = state.withLock { state in
            defer { state.openBody = nil }
            return (state.body, state.bodyLength, state.openBody, state.isOver)
        }
        guard !body.isNone, !isOver else {
            return nil
        }
        if let open {
            return BodyStream.make(open)
        }
        if body.data == nil, body.isReplayable {
            do {
                return try OutgoingRequest.stream(of: body, length: length, events: bodyEvents)
            } catch {
                end(with: error)
                return nil
            }
        }
        let detail = "The kept connection was closed while the request went out, and its body cannot be rewound"
        end(with: TransportError(.lost, phase: .sending, detail: detail))
        return nil
    }
}
