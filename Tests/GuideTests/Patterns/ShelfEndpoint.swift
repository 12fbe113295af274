import Backstop
import Foundation

nonisolated struct Novel: Decodable, Sendable {
    let id: Int
    let title: String
}

/// The books in `{"data": [...]}`; the chain has checked status and error body before.
struct Novels: JSONEndpoint {
    struct Envelope: Decodable { let data: [Novel] }
    var path = "books"

    func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, path) }
    func content(from envelope: Envelope) throws -> [Novel] { envelope.data }
}

@MainActor
final class Shelf {
    private(set) var titles: [String] = []
    private(set) var problem: String?

    @discardableResult
    func load(_ novels: Novels = Novels(), with client: Client) -> Task<Void, Never> {
        client.perform(
            novels,
            onSuccess: { self.titles = $0.map(\.title) },
            onFailure: { failure in
                self.problem = "\(failure.statusCode ?? 0) \(failure.request?.url.path ?? ""): \(failure.message.text)"
                return true
            })
    }
}
