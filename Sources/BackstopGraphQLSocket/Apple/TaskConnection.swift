#if canImport(Darwin)
    internal import Backstop
    internal import BackstopCore
    internal import Foundation

    /// A connection of `URLSession` (https://developer.apple.com/documentation/foundation/urlsessionwebsockettask).
    ///
    /// The session itself checks the answer to the key, masks, puts frames together and answers pings of WebSocket.
    final class TaskConnection: NSObject, SocketConnection {
        private struct State {
            /// Who is told; nil after the end.
            var tell: (@Sendable (SocketEvent) -> Void)?
            var session: URLSession?
            var task: URLSessionWebSocketTask?
            var isOpen = false
            var isClosed = false
        }

        /// How long the server may take to close its side.
        private static let patience = Duration.seconds(5)

        private let target: SocketTarget
        /// The state, guarded by the lock.
        private let state = Lock(State())

        init(_ target: SocketTarget) {
            self.target = target
        }

        func open(_ tell: @escaping @Sendable (SocketEvent) -> Void) {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpShouldSetCookies = false
            configuration.httpCookieStorage = nil
            configuration.urlCredentialStorage = nil
            configuration.urlCache = nil
            // The limit on the acknowledgement is the one that counts, and then pings.
            configuration.timeoutIntervalForRequest = 604_800
            configuration.timeoutIntervalForResource = 604_800
            // The session holds its delegate until it is invalidated, which each end does.
            let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
            let task = session.webSocketTask(with: request)
            task.maximumMessageSize = target.longest
            let goesOn = state.withLock { state in
                guard !state.isClosed else {
                    return false
                }
                (state.tell, state.session, state.task) = (tell, session, task)
                return true
            }
            if goesOn {
                task.resume()
            } else {
                session.invalidateAndCancel()
            }
        }

        private var request: URLRequest {
            var request = URLRequest(url: target.url.url)
            request.httpShouldHandleCookies = false
            for field in target.headers.fields {
                let name = field.name.text
                let before = request.value(forHTTPHeaderField: name)
                // One value for each name (RFC 9110, 5.3; RFC 6265, 5.4).
                let joint = field.name == .cookie ? "; " : ", "
                request.setValue(before.map { $0 + joint + field.value } ?? field.value, forHTTPHeaderField: name)
            }
            request.setValue(SocketTarget.subprotocol, forHTTPHeaderField: "Sec-WebSocket-Protocol")
            return request
        }

        func send(_ message: ClientMessage, written: @escaping @Sendable (Bool) -> Void) {
            guard let task = state.withLock({ $0.isOpen && !$0.isClosed ? $0.task : nil }) else {
                return written(false)
            }
            task.send(.string(String(decoding: message.json, as: UTF8.self))) { error in
                written(error == nil)
            }
        }

        func close(code: UInt16, reason: String) {
            let (session, task, isOpen) = state.withLock { state in
                state.isClosed = true
                defer { (state.tell, state.session, state.task) = (nil, nil, nil) }
                return (state.session, state.task, state.isOpen)
            }
            if isOpen, let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(code)) {
                task?.cancel(with: code, reason: Data(reason.utf8))
            } else {
                task?.cancel()
            }
            Self.finish(session)
        }

        /// Ends a session after its task, which waits for the server to close its side: that may be gone.
        private static func finish(_ session: URLSession?) {
            guard let session else { return }
            session.finishTasksAndInvalidate()
            Task.detached {
                try? await Task.sleep(for: Self.patience)
                session.invalidateAndCancel()
            }
        }

        private func tell(_ event: SocketEvent) {
            state.withLock { $0.tell }?(event)
        }

        /// Tells of an end, once.
        private func end(_ event: SocketEvent) {
            let (tell, session) = state.withLock { state in
                defer { state.tell = nil }
                return (state.tell, state.session)
            }
            tell?(event)
            switch event {
            case .broken: break  // closed by whoever is told
            default: Self.finish(session)
            }
        }

        private func receive(_ task: URLSessionWebSocketTask) {
            task.receive { [weak self] result in
                switch result {
                case .success(.string(let text)):
                    self?.tell(.text(Data(text.utf8)))
                    self?.receive(task)
                case .success:
                    self?.end(
                        .broken(
                            code: 1003,
                            detail: "The server sent a binary WebSocket message, which the protocol does not have"))
                case .failure(let error):
                    self?.failed(error)
                }
            }
        }

        /// Takes the failure of a receipt; of all but this one, the delegate is told as well, who knows the server's close.
        private func failed(_ error: any Error) {
            let bridged = error as NSError
            if bridged.domain == NSPOSIXErrorDomain, bridged.code == Int(EMSGSIZE) {
                end(
                    .broken(
                        code: 1009,
                        detail: "The server sent a message of more than the \(target.longest) bytes that "
                            + "GraphQL.Socket.longest accepts"))
            }
        }

        private static func known(_ error: any Error) -> any Error {
            switch Failure.Reason(classifying: HTTP.Request.recognized(error)) {
            case .transport(let error): error
            case .timeout(let error): error
            default: TransportError(.unknown, phase: .connecting, detail: error.localizedDescription, underlying: error)
            }
        }
    }

    extension TaskConnection: URLSessionWebSocketDelegate {
        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
        ) {
            guard `protocol` == SocketTarget.subprotocol else {
                let chosen =
                    `protocol`.map { "chose the subprotocol \(Redaction.quoted($0))" } ?? "chose no subprotocol"
                end(
                    .failed(
                        TransportError(
                            .badResponse, phase: .connecting,
                            detail: "The server \(chosen), and only \(SocketTarget.subprotocol) was offered")))
                return webSocketTask.cancel(with: .protocolError, reason: nil)
            }
            state.withLock { $0.isOpen = true }
            tell(.opened)
            receive(webSocketTask)
        }

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            end(.closed(SocketClose(closeCode, reason)))
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            // Credentials do not go elsewhere: the redirect is the response.
            completionHandler(nil)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let isOpen = state.withLock { $0.isOpen }
            if !isOpen, let response = task.response as? HTTPURLResponse, response.statusCode != 101 {
                end(answer(response))
            } else if let task = task as? URLSessionWebSocketTask, task.closeCode != .invalid {
                end(.closed(SocketClose(task.closeCode, task.closeReason)))
            } else if let error {
                end(.failed(Self.known(error)))
            } else {
                end(.closed(SocketClose(code: nil, reason: "")))
            }
        }

        /// The response without its body, which the session does not give.
        private func answer(_ response: HTTPURLResponse) -> SocketEvent {
            guard !(200..<300).contains(response.statusCode) else {
                return .failed(
                    TransportError(
                        .badResponse, phase: .connecting,
                        detail: "The server answered the request for a WebSocket with \(response.statusCode), as to "
                            + "any other: there is no WebSocket at this URL"))
            }
            var headers = HTTP.Headers()
            for (name, value) in response.allHeaderFields {
                if let name = name as? String {
                    headers.addReceived("\(value)", for: name)
                }
            }
            return .answered(HTTP.Response(status: response.statusCode, headers: headers, url: target.url.url))
        }
    }

    extension SocketClose {
        fileprivate init(_ code: URLSessionWebSocketTask.CloseCode, _ reason: Data?) {
            // An enumeration of C may have other values than those with names, such as 4403.
            self.init(
                code: UInt16(clamping: code.rawValue), reason: reason.map { String(decoding: $0, as: UTF8.self) } ?? "")
        }
    }
#endif
