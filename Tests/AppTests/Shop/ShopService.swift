import BackstopAuthentication
import BackstopPresentation
import Foundation

nonisolated struct Book: Codable, Sendable, Hashable, Identifiable {
    var id: Int
    var title: String
}

nonisolated struct Order: Codable, Sendable, Hashable {
    var number: Int
}

/// What the shop says when it refuses: {"error": true, "reason": "Only 3 left.", "field": "quantity"}
struct ShopError: APIError, FieldError {
    static let identifyingKeys = ["error", "reason"]
    let reason: String
    let field: String?
    var failureMessage: String? { reason }  // the shop writes it for people
}

struct PlaceOrder: JSONEndpoint {
    typealias Content = Order
    var book: Int
    var quantity: Int
    var key = UUID().uuidString  // of the order, not of the request: sent again, it is the same order

    func makeRequest() throws -> HTTP.Request {
        var request = try HTTP.Request.json(.post, "orders", ["book": book, "quantity": quantity])
        request.headers[.idempotencyKey] = key
        return request
    }
}

/// Who is signed in, and how somebody does.
@MainActor
final class Session {
    let credentials: Credentials
    var signIn: () async -> TokenSet? = { nil }  // shows the sign-in; nil when the person gives up

    init(_ credentials: Credentials) {
        self.credentials = credentials
    }
}
