public import BackstopCore
internal import Foundation

/// Sends a user name and a password with each request (RFC 7617).
///
/// ```swift
/// let client = try Client.standard(
///     baseURL: "https://api.example.com", authentication: .basic(user: "ann", password: "hunter2"))
/// ```
/// They go only to the origin of the client's base URL, and nowhere without one; a request with an `Authorization` of
/// its own keeps it. For one call: `client.get("books", headers: .basic(user: "ann", password: "hunter2"))`.
public struct BasicAuthentication: HTTP.Interceptor {
    private let credentials: String

    /// `.authentication`
    public var role: Role { .authentication }

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - user: The user name, without a colon: what follows one is read as the password.
    ///   - password: The password.
    public init(user: String, password: String) {
        credentials = HTTP.Headers.basicCredentials(user, password)
    }

    /// Sends the request with the name and the password.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        guard request.headers[.authorization] == nil, context.isOwn(request.url) else {
            return try await next(request)
        }
        return try await next(request.signed(credentials, in: context))
    }
}

extension Interceptor where Self == BasicAuthentication {
    /// A user name and a password with each request: `authentication: .basic(user: "ann", password: "hunter2")`.
    public static func basic(user: String, password: String) -> BasicAuthentication {
        BasicAuthentication(user: user, password: password)
    }
}

extension HTTP.Headers {
    /// An `Authorization` with a user name and a password (RFC 7617).
    ///
    /// - Parameters:
    ///   - user: The user name, without a colon.
    ///   - password: The password.
    public static func basic(user: String, password: String) -> HTTP.Headers {
        [.authorization: basicCredentials(user, password)]
    }

    fileprivate static func basicCredentials(_ user: String, _ password: String) -> String {
        "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    }
}

extension BasicAuthentication: CustomStringConvertible, CustomReflectable {
    /// The name; neither user nor password is shown.
    public var description: String { "BasicAuthentication" }

    /// The same.
    public var customMirror: Mirror {
        Mirror(self, children: [], displayStyle: .struct)
    }
}
