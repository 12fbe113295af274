import Backstop
import Foundation

nonisolated struct Receipt: Decodable, Sendable { var number: Int }

/// One payment with its key: retries, "Try again" and later calls with the same value all send this key.
struct Payment: JSONEndpoint {
    typealias Content = Receipt

    let amount: Int
    let key: String

    init(amount: Int, key: String = UUID().uuidString) {
        self.amount = amount
        self.key = key
    }

    func makeRequest() throws -> HTTP.Request {
        try .json(.post, "payments", ["amount": amount], headers: [.idempotencyKey: key])
    }
}

func pay(_ payment: Payment, with client: Client) async -> Receipt? {
    let outcome = await client.perform(payment) {
        On(status: 409) { _ in print("This payment is already in progress.") }
        On(.transient) { _ in .retry(after: .seconds(5)) }  // a person who taps "Try again"
    }
    return outcome.value
}
