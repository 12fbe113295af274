internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Passes the session's events to their exchange.
///
/// One delegate for the session instead of one for each task: on Linux, `URLSessionTask.delegate` gets redirects and
/// challenges, but neither data nor the end of the task. It does not know the transport, so there is no cycle.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    /// The running exchanges by the identifiers of their tasks, guarded by the lock.
    private let exchanges = Lock<[Int: Exchange]>([:])
    let canceller = TaskCanceller()
    /// The places of all sessions derived from one.
    let limiter: ConnectionLimiter
    let answer: Answer?

    /// Answers a challenge.
    typealias Answer =
        @Sendable (URLAuthenticationChallenge) async -> (
            URLSession.AuthChallengeDisposition, URLCredential?
        )

    init(limiter: ConnectionLimiter, answer: Answer? = nil) {
        self.limiter = limiter
        self.answer = answer
    }

    func add(_ exchange: Exchange, for task: URLSessionTask) {
        let identifier = task.taskIdentifier
        exchanges.withLock { $0[identifier] = exchange }
    }

    private func exchange(for task: URLSessionTask) -> Exchange? {
        let identifier = task.taskIdentifier
        return exchanges.withLock { $0[identifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let goesOn = exchange(for: dataTask)?.receive(response) ?? false
        completionHandler(goesOn ? .allow : .cancel)
        if !goesOn {
            // Linux ignores the disposition.
            canceller.cancel(dataTask)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if exchange(for: dataTask)?.receive(data) != true {
            canceller.cancel(dataTask)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(for: task)?.didSend(totalBytesSent, of: totalBytesExpectedToSend)
    }

    /// Never follows: the transport does, using ``RedirectRule``, so that all systems behave alike.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard exchange(for: task)?.redirect(response) != true else {
            completionHandler(nil)
            return
        }
        #if !canImport(FoundationNetworking)
            completionHandler(nil)
        #endif
        // Linux: answering a cancelled task would trap, so it gets no answer. The redirect has been read in full by now,
        // and its connection can be reused.
        canceller.cancel(task)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // Linux asks after the entire 401 has arrived, and without a credential it would never end the task.
            if challenge.proposedCredential == nil || challenge.previousFailureCount > 0 {
                exchange(for: task)?.complete(task.response, error: nil)
                canceller.cancel(task)
                return
            }
        #else
            // Those of the session come here as well, because the delegate does not have the other method
            // (URLSessionDelegate, `urlSession(_:didReceive:completionHandler:)`).
            if let answer {
                let exchange = exchange(for: task)
                Task {
                    let (disposition, credential) = await answer(challenge)
                    if disposition == .cancelAuthenticationChallenge {
                        exchange?.end(with: Self.refusal(of: challenge.protectionSpace.authenticationMethod))
                    }
                    completionHandler(disposition, credential)
                }
                return
            }
        #endif
        completionHandler(.performDefaultHandling, nil)
    }

    #if !canImport(FoundationNetworking)
        /// The error when the app refuses to answer a challenge. Without it, it would be that of a cancelled task.
        private static func refusal(of method: String) -> TransportError {
            let codes: [String: TransportError.Code] = [
                NSURLAuthenticationMethodServerTrust: .certificate,
                NSURLAuthenticationMethodClientCertificate: .clientCertificate,
            ]
            return TransportError(
                codes[method] ?? .notAllowed, phase: .connecting, detail: "The app refused the challenge of the server")
        }

        /// Only with `waitsForConnectivity`, and once at most for each task (URLSessionTaskDelegate).
        func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
            if let exchange = exchange(for: task), exchange.waitForConnectivity() {
                limiter.giveBack(exchange.origin)
            }
        }

        /// HTTP/2 and HTTP/3 carry many exchanges on one connection, so the number of connections does not matter.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            guard let exchange = exchange(for: task), let last = metrics.transactionMetrics.last else {
                return
            }
            exchange.measured(
                hasBegun: ExchangeProgress.hasBegun(metrics.transactionMetrics.map(\.requestStartDate)),
                ExchangeTiming.text(
                    protocolName: last.networkProtocolName, isReused: last.isReusedConnection,
                    [
                        ("DNS", ExchangeTiming.time(last.domainLookupStartDate, last.domainLookupEndDate)),
                        ("connect", ExchangeTiming.time(last.connectStartDate, last.connectEndDate)),
                        ("TLS", ExchangeTiming.time(last.secureConnectionStartDate, last.secureConnectionEndDate)),
                        ("first byte", ExchangeTiming.time(last.requestStartDate, last.responseStartDate)),
                    ]))
            if last.networkProtocolName == "h2" || last.networkProtocolName == "h3" {
                limiter.allowMany(at: exchange.origin)
            }
        }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let identifier = task.taskIdentifier
        exchanges.withLock { $0.removeValue(forKey: identifier) }?.complete(task.response, error: error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(exchange(for: task)?.newBodyStream())
    }
}
