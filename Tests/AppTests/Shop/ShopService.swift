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

/// Who is signed in.
@MainActor
final class Session {
    var token: String?
    var signIn: () async -> Bool = { false }  // shows the sign-in, and says whether somebody signed in
}

/// Signs each attempt.
struct SessionToken: HTTP.Interceptor {
    let session: Session
    var role: Role { .authentication }

    func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        var request = request
        if let token = await session.token {
            request.headers[.authorization] = "Bearer \(token)"
        }
        return try await next(request)
    }
}
