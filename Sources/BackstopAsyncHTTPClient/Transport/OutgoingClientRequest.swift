#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import Backstop
    internal import BackstopCore
    internal import NIOHTTP1

    /// A request converted for the library, and checked; its body is opened once it has a connection.
    struct OutgoingClientRequest: Sendable {
        /// Method, URL and headers.
        let head: HTTPClient.Request

        /// Converts a request.
        ///
        /// - Parameter isForwarded: Whether it gets no fields but its own.
        /// - Throws: `RequestError` when it cannot be sent.
        init(_ request: HTTP.Request, isForwarded: Bool) throws {
            if let refused = request.headers.refused {
                throw refused
            }
            if request.body.data?.isEmpty != true {
                try OutgoingRequest.checkContent(of: request.method)
            }
            do {
                var headers = Self.headers(request.headers, isForwarded: isForwarded)
                if let type = request.impliedContentType, !isForwarded {
                    headers.add(name: "Content-Type", value: type)
                }
                head = try HTTPClient.Request(
                    url: try OutgoingRequest.checked(request.url), method: HTTPMethod(request.method), headers: headers)
            } catch let error as HTTPClientError {
                throw RequestError(.invalidURL, error.shortDescription, underlying: error)
            }
        }

        /// The fields in their order; several `Cookie` fields become one (RFC 6265, 5.4).
        ///
        /// The library frames the body.
        private static func headers(_ headers: HTTP.Headers, isForwarded: Bool) -> HTTPHeaders {
            var fields: [(String, String)] = []
            fields.reserveCapacity(headers.fields.count + 3)
            var hasRange = false
            var hasEncoding = false
            var cookie: Int?
            for field in headers.fields {
                switch field.name {
                case .cookie:
                    if let cookie {
                        fields[cookie].1 += "; " + field.value
                        continue
                    }
                    cookie = fields.count
                case "Range": hasRange = true
                case "Accept-Encoding": hasEncoding = true
                default: break
                }
                fields.append((field.name.text, field.value))
            }
            if hasRange, !hasEncoding, !isForwarded {
                // A part of encoded content cannot be decoded (Fetch, 4.5).
                fields.append(("Accept-Encoding", "identity"))
            }
            return HTTPHeaders(fields)
        }
    }

    extension HTTPMethod {
        fileprivate init(_ method: HTTP.Method) {
            switch method.name {
            case "GET": self = .GET
            case "POST": self = .POST
            case "PUT": self = .PUT
            case "DELETE": self = .DELETE
            case "PATCH": self = .PATCH
            case "HEAD": self = .HEAD
            case "OPTIONS": self = .OPTIONS
            default: self = HTTPMethod(rawValue: method.name)
            }
        }
    }
#endif
