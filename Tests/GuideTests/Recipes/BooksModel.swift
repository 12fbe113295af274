import Backstop
import Observation

nonisolated struct Book: Codable, Sendable, Hashable, Identifiable {
    var id: Int
    var title: String
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
@MainActor @Observable
final class BooksModel {
    enum State {
        case loading
        case loaded([Book])
        case failed(FailureMessage, canRetry: Bool)
    }

    private(set) var state = State.loading
    private let client: Client

    init(client: Client) {
        self.client = client
    }

    func load() async {
        let outcome = await client.perform(.get("books", as: [Book].self)) {
            On(status: 404) { @MainActor _ in self.state = .loaded([]) }
            Otherwise { @MainActor failure in
                // The default handlers show the sign-in screen.
                guard failure.statusCode != 401 else { return .unhandled }
                self.state = .failed(failure.message, canRetry: failure.isRetryable)
                return .handled
            }
        }
        if let books = outcome.value {
            state = .loaded(books)
        }
    }
}
