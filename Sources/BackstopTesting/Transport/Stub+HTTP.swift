public import Backstop
public import Foundation

extension Stub where Request == HTTP.Request, Response == HTTP.Response {
    /// Responds with a status, headers and a text.
    ///
    /// ```swift
    /// let transport = ScriptedTransport(.status(503, headers: ["Retry-After": "2"]), .status(200, body: "hello"))
    /// ```
    /// An invalid header fails the call with `request.invalidHeader`.
    public static func status(_ status: Int, headers: HTTP.Headers = HTTP.Headers(), body: String = "") -> Stub {
        answering("status \(status)", status: status, headers: headers, body: Data(body.utf8))
    }

    /// Responds with a status and data.
    public static func data(_ status: Int, _ body: Data, headers: HTTP.Headers = HTTP.Headers()) -> Stub {
        answering("\(body.count) bytes with status \(status)", status: status, headers: headers, body: body)
    }

    /// Responds with JSON as written, which may be malformed on purpose.
    ///
    /// ```swift
    /// let transport = ScriptedTransport(.json(200, #"{"id":1}"#))
    /// ```
    /// - Parameters:
    ///   - status: The status.
    ///   - text: The body.
    ///   - headers: Additional headers; `Content-Type` is `application/json` unless included.
    public static func json(
        _ status: Int, _ text: String, headers: HTTP.Headers = HTTP.Headers()
    ) -> Stub {
        answering("json with status \(status)", status: status, headers: json(headers), body: Data(text.utf8))
    }

    /// Responds with the JSON of a value.
    ///
    /// ```swift
    /// let transport = try ScriptedTransport(.json(encoding: ["id": 1]))
    /// ```
    /// - Throws: The encoder's error.
    public static func json(
        _ status: Int = 200, encoding value: some Encodable, headers: HTTP.Headers = HTTP.Headers(),
        encoder: JSONEncoder = JSONEncoder()
    ) throws -> Stub {
        let body = try encoder.encode(value)
        return answering("json with status \(status)", status: status, headers: json(headers), body: body)
    }

    /// Responds with the head of a response and the first bytes of its body, and continues with another stub, such as
    /// `.hang` or `.failure`: the failure has what arrived.
    ///
    /// ```swift
    /// let transport = ScriptedTransport(
    ///     .partial(200, headers: ["Content-Length": "100"], body: "[1,", then: .hang),
    ///     .partial(200, body: "[1,", then: .failure(TransportError(.lost, phase: .receiving, bytesReceived: 3))))
    /// ```
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The headers.
    ///   - body: The part of the body that arrives.
    ///   - step: The stub that follows, for the same requests, as often.
    public static func partial(
        _ status: Int = 200, headers: HTTP.Headers = HTTP.Headers(), body: String = "", then step: Stub
    ) -> Stub {
        let bytes = Data(body.utf8)
        return Stub(
            "\(bytes.count) bytes with status \(status), then \(step.description)", then: step,
            begin: { request, context in
                let response = HTTP.Response(status: status, headers: headers, body: bytes, url: request.url)
                context.track {
                    TransferProgress(.receiving, bytesReceived: Int64(bytes.count), response: response)
                }
            },
            first: { _, _ in
                if let refused = headers.refused {
                    throw refused
                }
            })
    }

    /// Responds to the requests of one method and path, in any order.
    ///
    /// Of several matching stubs, the first that is not used up answers; if none matches, the next stub without a route
    /// does. Several with one method and path answer in turn, the last of them from then on.
    ///
    /// ```swift
    /// let transport = ScriptedTransport(
    ///     .on(.get, "/books/*", .json(200, #"{"id":1}"#)),
    ///     .on(.post, "/login", .status(401)),
    ///     .on(.post, "/login", .json(200, #"{"token":"t"}"#)))
    /// ```
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The whole path; `*` matches one segment, `**` any number. Behind a `?`, the whole query, in any order:
    ///     `/books?page=2`; without it, any.
    ///   - step: The stub that answers.
    ///   - times: How many requests, 0 or more; nil for as many as the stub is `.repeated` for, or any number; for one
    ///     if a later stub of the script is for the same method and path. Default: nil.
    public static func on(
        _ method: HTTP.Method, _ path: String, _ step: Stub, repeating times: Int? = nil
    ) -> Stub {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let pattern = PathPattern(parts[0])
        let query = parts.count > 1 ? queryItems(of: "?" + parts[1]) : nil
        var stub = on(
            "\(method) \(path)",
            where: {
                $0.method == method && pattern.matches($0.url)
                    && (query == nil || query == queryItems(of: $0.url.absoluteString))
            }, step, repeating: times)
        // Nobody knows which of these requests a condition of a test's own leaves to others.
        if step.isFor == nil || step.route != nil {
            stub.route = "\(method) \(parts[0]) \(query?.description ?? "") \(step.route ?? "")"
        }
        return stub
    }

    private static func queryItems(of url: String) -> [URLQueryItem] {
        (URLComponents(string: url)?.queryItems ?? []).sorted { ($0.name, $0.value ?? "") < ($1.name, $1.value ?? "") }
    }

    private static func answering(_ name: String, status: Int, headers: HTTP.Headers, body: Data) -> Stub {
        Stub(name) { request, _ in
            if let refused = headers.refused {
                throw refused
            }
            return HTTP.Response(status: status, headers: headers, body: body, url: request.url)
        }
    }

    private static func json(_ headers: HTTP.Headers) -> HTTP.Headers {
        var headers = headers
        if headers[.contentType] == nil {
            headers[.contentType] = "application/json"
        }
        return headers
    }
}
