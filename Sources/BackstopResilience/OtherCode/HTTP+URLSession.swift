public import Backstop
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension HTTP.Request {
    /// A request of `URLSession` as one of Backstop, for code that keeps its session.
    ///
    /// ```swift
    /// func isSafeToRepeat(_ request: URLRequest) throws -> Bool {
    ///     try HTTP.Request(request).isIdempotent  // by its method, or its Idempotency-Key
    /// }
    /// ```
    /// Timeouts, cache policies and other settings of the session are no part of it. The bytes of an `httpBodyStream`
    /// stay the session's: sent by a client of Backstop, such a request fails with `RequestError` and `.bodyUnreadable`.
    ///
    /// - Throws: `RequestError` with `.invalidURL` for a request without a URL, and with `.invalidMethod`.
    public init(_ request: URLRequest) throws(RequestError) {
        guard let url = request.url else {
            throw RequestError(.invalidURL, "The URLRequest has no URL")
        }
        var body = request.httpBody.map { HTTP.Body.data($0) } ?? .none
        if body.isNone, request.httpBodyStream != nil {
            body = .opened(contentType: nil, isReplayable: false) { () throws -> (AsyncStream<Data>, Int64?) in
                throw RequestError(
                    .bodyUnreadable,
                    "The body is an httpBodyStream, which only its session can read: give it as HTTP.Body.stream")
            }
        }
        self.init(
            try HTTP.Method(request.httpMethod ?? "GET"), url: url,
            headers: HTTP.Headers(request.allHTTPHeaderFields ?? [:]), body: body)
    }
}

extension HTTP.Response {
    /// A response of `URLSession` as one of Backstop.
    ///
    /// ```swift
    /// func load(_ request: URLRequest) async throws -> HTTP.Response? {
    ///     let (body, response) = try await URLSession.shared.data(for: request)
    ///     return (response as? HTTPURLResponse).map { HTTP.Response($0, body: body) }
    /// }
    /// ```
    public init(_ response: HTTPURLResponse, body: Data = Data()) {
        self = Reply(head: response, content: body).response
    }
}

extension URLRequest {
    /// A request of Backstop as one of `URLSession`, checked as a client checks it: for a transport of your own, such as
    /// one that sends with Alamofire.
    ///
    /// ```swift
    /// func send(_ request: HTTP.Request) async throws -> Data {
    ///     try await URLSession.shared.data(for: URLRequest(request)).0
    /// }
    /// ```
    /// - Throws: `RequestError` with `.invalidURL` for a URL that is not absolute, with `.invalidHeader`, with `.invalid`
    ///   for a GET with a body, and with `.bodyUnreadable` for a body that is not in memory: read it with
    ///   `HTTP.Body.open()`, or upload its file.
    public init(_ request: HTTP.Request) throws(RequestError) {
        guard let content = request.body.data else {
            throw RequestError(.bodyUnreadable, "The body is not in memory, and a URLRequest has no other")
        }
        let outgoing = try OutgoingRequest(request, timeout: nil)
        self = outgoing.head
        httpBody = content.isEmpty ? nil : content
    }
}
