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
    var account: String?
    var token: String?
    var signIn: () async -> Bool = { false }  // shows the sign-in, and says whether somebody signed in
}

enum AccountKey: CallKey {
    static let defaultValue: String? = nil
}

extension CallValues {
    /// Whose call it is; nil when nobody was signed in.
    nonisolated var account: String? {
        get { self[AccountKey.self] }
        set { self[AccountKey.self] = newValue }
    }
}

/// Signs each attempt, and refuses what another account wanted to send.
struct SessionToken: HTTP.Interceptor {
    let session: Session
    var role: Role { .authentication }

    func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        var request = request
        let account = await session.account
        guard context.values.account == nil || context.values.account == account else {
            throw RejectionError("account", "Another account is signed in than the one that made the call.")
        }
        if let token = await session.token {
            request.headers[.authorization] = "Bearer \(token)"
        }
        return try await next(request)
    }
}
