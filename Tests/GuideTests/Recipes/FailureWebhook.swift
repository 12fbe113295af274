import Backstop
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Posts each failure to a webhook, one after another. No call waits for it, and nothing is posted twice.
actor FailureWebhook: FailureObserver {
    /// How many reports wait at most, 64 KiB each.
    static let limit = 100

    private let url: URL
    private let session: URLSession
    private var waiting: [String] = []
    private var isSending = false
    /// How many reports there was no room for, or the webhook did not take.
    private(set) var dropped = 0

    init(_ url: URL, session: URLSession = .shared) {
        self.url = url
        self.session = session
    }

    func observe(_ failure: Failure, outcome: ObservedOutcome) {
        guard !failure.isCancelled else { return }
        guard waiting.count < Self.limit else {
            dropped += 1
            return
        }
        waiting.append(failure.jsonReport)
        guard !isSending else { return }
        isSending = true
        Task { await send() }
    }

    private func send() async {
        while let report = waiting.first {
            if await !post(report) { dropped += 1 }
            waiting.removeFirst()
        }
        isSending = false
    }

    /// Without a `Client`, so that a report that fails makes no further one.
    private func post(_ report: String) async -> Bool {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(report.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let response = try? await session.data(for: request).1 as? HTTPURLResponse
        return response.map { (200..<300).contains($0.statusCode) } ?? false
    }
}
