import Backstop
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Posts each failure to a webhook, one after another. No call waits for it, and nothing is posted twice.
actor FailureWebhook: FailureObserver {
    /// How many failures wait at most; a report has up to 64 KiB.
    static let limit = 100

    private let url: URL
    private let session: URLSession
    private let timeout: TimeInterval
    private var waiting: [Failure] = []
    private var isSending = false
    /// How many reports there was no room for, or the webhook did not take.
    private(set) var dropped = 0

    init(_ url: URL, session: URLSession = .shared, timeout: TimeInterval = 10) {
        self.url = url
        self.session = session
        self.timeout = timeout
    }

    func observe(_ failure: Failure, outcome: ObservedOutcome) {
        guard !failure.isCancelled else { return }
        guard waiting.count < Self.limit else {
            dropped += 1
            return
        }
        waiting.append(failure)
        guard !isSending else { return }
        isSending = true
        Task { await send() }
    }

    private func send() async {
        while let failure = waiting.first {
            if await !post(failure) { dropped += 1 }
            waiting.removeFirst()
        }
        isSending = false
    }

    /// Without a `Client`, so that a report that fails makes no further one; outside the actor, for which calls wait.
    @concurrent
    private nonisolated func post(_ failure: Failure) async -> Bool {
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpMethod = "POST"
        request.httpBody = Data(failure.jsonReport.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let response = try? await session.data(for: request).1 as? HTTPURLResponse
        // A redirected POST arrives elsewhere, as a GET without the report.
        return response.map { (200..<300).contains($0.statusCode) && $0.url == url } ?? false
    }
}
