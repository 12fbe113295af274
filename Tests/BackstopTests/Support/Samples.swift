import Backstop
import BackstopTesting
import Foundation

/// A book, as most of these tests ask for it.
struct Book: Codable, Sendable, Hashable {
    var id: Int
    var title: String

    static let json = #"{"id":1,"title":"Dune"}"#
    static let dune = Book(id: 1, title: "Dune")
}

/// Asks for a book by `GET books/1`.
struct BookEndpoint: JSONEndpoint {
    typealias Content = Book
    var target = "books/1"
    var headers = HTTP.Headers()

    func makeRequest() throws -> HTTP.Request {
        try HTTP.Request(.get, target, headers: headers)
    }
}

/// Sends any request and gives the response as it is.
struct RawEndpoint: Endpoint {
    let make: @Sendable () throws -> HTTP.Request

    init(_ make: @escaping @Sendable () throws -> HTTP.Request) {
        self.make = make
    }

    func makeRequest() throws -> HTTP.Request {
        try make()
    }

    func content(from response: HTTP.Response) throws -> HTTP.Response {
        response
    }
}

/// What the sign-up service says when it refuses.
struct SignUpError: APIError, Hashable {
    static let identifyingKeys = ["error", "reason"]
    let error: Bool
    let reason: String
    var failureMessage: String? { reason }
}

/// An error that Backstop does not know.
struct OwnError: Error, Hashable {
    var number = 1
}

/// An interceptor made of a closure.
struct ClosureInterceptor: HTTP.Interceptor {
    var role: Role = .custom("closure")
    let body: @Sendable (HTTP.Request, CallContext, HTTP.Next) async throws -> HTTP.Response

    func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        try await body(request, context, next)
    }
}

extension Failure {
    /// The decoding failure that it is; nil when it is of another kind.
    var decoding: DecodingFailure? {
        if case .decoding(let failure) = reason {
            return failure
        }
        return nil
    }
}
