extension HTTP.Headers {
    /// The name of a header field, case-insensitive.
    ///
    /// ```swift
    /// extension HTTP.Headers.Name {
    ///     static let tenant: Self = "X-Tenant"
    /// }
    /// ```
    public struct Name: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name as written, and as sent.
        public let text: String

        /// Makes a name; it is validated when a field is set.
        public init(_ text: String) {
            self.text = text
        }

        /// Makes a name from a literal.
        public init(stringLiteral text: String) {
            self.text = text
        }

        /// The name as written.
        public var description: String {
            text
        }
    }
}

extension HTTP.Headers.Name: Hashable {
    /// Compares names without regard to case.
    @inline(never)
    public static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8) { lowercase($0) == lowercase($1) }
    }

    /// Hashes the name without regard to case.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 {
            hasher.combine(Self.lowercase(byte))
        }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension HTTP.Headers.Name {
    /// `Accept`
    public static let accept: Self = "Accept"
    /// `Accept-Language`
    public static let acceptLanguage: Self = "Accept-Language"
    /// `Authorization`
    public static let authorization: Self = "Authorization"
    /// `Content-Length`
    public static let contentLength: Self = "Content-Length"
    /// `Content-Type`
    public static let contentType: Self = "Content-Type"
    /// `Cookie`
    public static let cookie: Self = "Cookie"
    /// `ETag`
    public static let etag: Self = "ETag"
    /// `Host`
    public static let host: Self = "Host"
    /// `Idempotency-Key`
    public static let idempotencyKey: Self = "Idempotency-Key"
    /// `If-None-Match`
    public static let ifNoneMatch: Self = "If-None-Match"
    /// `Location`
    public static let location: Self = "Location"
    /// `Proxy-Authorization`
    public static let proxyAuthorization: Self = "Proxy-Authorization"
    /// `Retry-After`
    public static let retryAfter: Self = "Retry-After"
    /// `Set-Cookie`
    public static let setCookie: Self = "Set-Cookie"
    /// `User-Agent`
    public static let userAgent: Self = "User-Agent"
    /// `WWW-Authenticate`
    public static let wwwAuthenticate: Self = "WWW-Authenticate"
}
