#if AsyncHTTPClient
    public import Backstop
    public import BackstopCore
    internal import Foundation
    public import HTTPTypes

    extension HTTPRequest {
        /// The same request in the type of swift-http-types: method, target and fields, in their order.
        ///
        /// The body has no place in that type, and neither has `isRepeatable`: pass both on yourself.
        ///
        /// ```swift
        /// let request = try HTTPRequest(HTTP.Request(.get, "https://api.example.com/books?page=2"))
        /// ```
        ///
        /// - Throws: `RequestError` with `.invalidHeader` for a field that the type cannot hold: its name or value is
        ///   none (RFC 9110, 5.1 and 5.5). With `.invalidURL` for a URL without a scheme but with a host, or with a user
        ///   or a password.
        public init(_ request: HTTP.Request) throws(RequestError) {
            guard let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true),
                let method = Method(request.method.name)
            else {
                throw RequestError(.invalidURL, "The URL of the request cannot be read")
            }
            var authority: String?
            if let host = parts.percentEncodedHost, !host.isEmpty {
                guard parts.scheme != nil else {
                    throw RequestError(.invalidURL, "The URL of the request has a host, but no scheme")
                }
                authority = parts.port.map { "\(host):\($0)" } ?? host
                guard parts.percentEncodedUser == nil, parts.percentEncodedPassword == nil else {
                    // RFC 9113, 8.3.1
                    throw RequestError(
                        .invalidURL, "The URL has a user or a password: send them in the header Authorization")
                }
            }
            let path = parts.percentEncodedPath
            let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
            self.init(
                method: method, scheme: parts.scheme, authority: authority,
                path: (path.isEmpty && authority != nil ? "/" : path) + query,
                headerFields: try HTTPFields(request.headers))
        }
    }

    extension HTTP.Request {
        /// The same request in the type of Backstop.
        ///
        /// A request without scheme and authority is relative to the client's base URL.
        ///
        /// ```swift
        /// let sent = HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/books")
        /// let request = try HTTP.Request(sent)
        /// ```
        ///
        /// - Parameters:
        ///   - request: Method, target and fields. How its fields are indexed is lost.
        ///   - body: The body. Default: none.
        /// - Throws: `RequestError` with `.invalidURL` when its parts are no target of a request, as `*` is none: an
        ///   authority is a host and perhaps a port (RFC 9113, 8.3.1), and a path has no fragment. With
        ///   `.invalidMethod` for one that begins a tunnel (RFC 9110, 9.3.6; RFC 8441); with `.invalidHeader` for a
        ///   value that is not UTF-8.
        public init(_ request: HTTPRequest, body: HTTP.Body = .none) throws(RequestError) {
            guard request.extendedConnectProtocol == nil, request.method != .connect else {
                throw RequestError(
                    .invalidMethod,
                    "CONNECT begins a tunnel, and is no request: give the transport a proxy, which makes its tunnels "
                        + "itself")
            }
            let path = request.path ?? "/"
            guard path.hasPrefix("/") || request.authority == nil, path != "*" else {
                throw RequestError(.invalidURL, "The path of the request does not begin with a slash")
            }
            guard (request.scheme == nil) == (request.authority == nil) else {
                throw RequestError(.invalidURL, "A request has a scheme and an authority, or neither")
            }
            guard !path.utf8.contains(UInt8(ascii: "#")) else {
                throw RequestError(.invalidURL, "The path of the request has a fragment, which is never sent")
            }
            if let authority = request.authority, !Self.isHostAndPort(authority) {
                throw RequestError(
                    .invalidURL,
                    "The authority of the request is no host, or no host and port: without a path, a "
                        + "query, a user or a password")
            }
            let origin = request.scheme.map { "\($0)://\(request.authority ?? "")" } ?? ""
            try self.init(try HTTP.Method(request.method.rawValue), origin + path, body: body)
            headers = try HTTP.Headers(request.headerFields)
        }
    }

    extension HTTP.Request {
        /// Whether an authority ends where a path begins, and has no user; the parts are read with the URL.
        private static func isHostAndPort(_ authority: String) -> Bool {
            !authority.isEmpty && !authority.utf8.contains { $0 <= 0x20 || $0 == 0x7F || "/?#@\\".utf8.contains($0) }
        }
    }

    extension HTTPFields {
        /// The same fields in the type of swift-http-types, in their order.
        ///
        /// - Throws: `RequestError` with `.invalidHeader` for a field whose name or value the type cannot hold, and for
        ///   one that was refused when it was set.
        public init(_ headers: HTTP.Headers) throws(RequestError) {
            if let refused = headers.refused {
                throw refused
            }
            self.init()
            reserveCapacity(headers.fields.count)
            for field in headers.fields {
                guard let name = HTTPField.Name(field.name.text), HTTPField.isValidValue(field.value) else {
                    throw RequestError(
                        .invalidHeader, "The name or value of a field cannot be sent: \(field.description)")
                }
                append(HTTPField(name: name, value: field.value))
            }
        }
    }

    extension HTTP.Headers {
        /// The same fields in the type of Backstop, in their order. How they are indexed is lost.
        ///
        /// - Throws: `RequestError` with `.invalidHeader` for a value that is not UTF-8.
        public init(_ fields: HTTPFields) throws(RequestError) {
            self.init()
            for field in fields {
                let text = field.withUnsafeBytesOfValue { String(bytes: $0, encoding: .utf8) }
                guard let text else {
                    throw RequestError(.invalidHeader, "The value of the header \(field.name.rawName) is not UTF-8")
                }
                try add(text, for: HTTP.Headers.Name(field.name.rawName))
            }
        }
    }
#endif
