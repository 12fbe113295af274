package import BackstopCore
package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// A request converted for the session, and checked.
package struct OutgoingRequest: Sendable {
    /// Method, URL, headers and timeout; the body is added when the task is made.
    package let head: URLRequest
    /// The content; `.none` when it is empty.
    let body: HTTP.Body
    /// Whether it may be sent only once.
    private let isOnce: Bool
    private let priority: Double

    /// Converts a request.
    ///
    /// - Parameter timeout: How long no byte may come; nil to leave that to the session.
    /// - Throws: ``RequestError`` when it cannot be sent.
    package init(
        _ request: HTTP.Request, timeout: TimeInterval?, network: NetworkOptions = NetworkOptions()
    ) throws(RequestError) {
        if let refused = request.headers.refused {
            throw refused
        }
        body = request.body.unreadData?.isEmpty == true ? .none : request.body
        if request.body.data?.isEmpty != true {
            try Self.checkContent(of: request.method)
        }
        isOnce = !request.isIdempotent
        priority = network.priority
        var head = URLRequest(url: try Self.checked(request.url))
        head.httpMethod = request.method.name
        if let timeout {
            head.timeoutInterval = timeout
        }
        for (name, value) in Self.fields(of: request.headers) {
            head.setValue(value, forHTTPHeaderField: name)
        }
        if let type = request.impliedContentType {
            head.setValue(type, forHTTPHeaderField: "Content-Type")
        }
        #if !canImport(FoundationNetworking)
            // https://developer.apple.com/documentation/foundation/urlrequest
            head.allowsCellularAccess = network.allowsCellularAccess
            head.allowsExpensiveNetworkAccess = network.allowsExpensiveNetworkAccess
            head.allowsConstrainedNetworkAccess = network.allowsConstrainedNetworkAccess
            head.assumesHTTP3Capable = network.assumesHTTP3
            head.networkServiceType = network.serviceType.ofRequests
        #endif
        self.head = head
    }

    /// Whether the request needs a connection that has not been used, and so a session of its own.
    ///
    /// libcurl itself sends a request again when a reused connection ends without a byte of a response, although the
    /// server may already have processed it (RFC 9110, 9.2.2). Only with content in memory does it ask first, see
    /// ``Exchange/newBodyStream()``. For a stream, it would ask for the body anew, and one that exists once would be
    /// lost with the connection.
    ///
    /// Beyond that, such a session isolates nothing: all sessions of the process share one queue, which waits for the
    /// chunks of a stream (``BodyStream``).
    var needsOwnSession: Bool {
        #if canImport(FoundationNetworking)
            if case .stream = body.source {
                return true
            }
            return isOnce && body.unreadData?.isEmpty != false
        #else
            return false
        #endif
    }

    /// Opens a file or a stream.
    ///
    /// - Returns: Nil for one that is empty: the head alone is then the complete request.
    /// - Throws: ``RequestError`` with `.bodyUnreadable` or `.bodyLength`; `CancellationError` when the task is
    ///   cancelled.
    func openBody() async throws -> (any BlockingChunks)? {
        if let url = body.file {
            return try await BlockingWork().run {
                let chunks = FileChunks(try BodyFile(url))
                return try chunks.length == 0 && chunks.next() == nil ? nil : chunks
            }
        }
        let chunks = try await body.open()
        if chunks.length == 0 {
            var iterator = chunks.makeAsyncIterator()
            // Throws if anything follows.
            _ = try await iterator.next()
            return nil
        }
        return StreamChunks(length: chunks.length, patience: patience) { chunks }
    }

    /// Opens a file or a stream again. It may block.
    ///
    /// - Parameter length: The length that was announced.
    /// - Throws: ``RequestError`` with `.bodyUnreadable`.
    func reopenBody(length: Int64?) throws -> any BlockingChunks {
        if let url = body.file {
            return FileChunks(try BodyFile(url), length: length)
        }
        let body = body
        return StreamChunks(length: length, patience: patience) { try await body.open() }
    }

    /// How long to wait for a chunk of a stream; nil where the session itself notices that nothing is sent.
    private var patience: TimeInterval? {
        #if canImport(FoundationNetworking)
            return head.timeoutInterval
        #else
            return nil
        #endif
    }

    /// Makes the task.
    ///
    /// A file is sent as a stream too: the session's own file task does not notice when one changes, and on Linux it
    /// traps when cancelled while reading.
    ///
    /// - Parameter content: The opened body; nil when it is in memory or empty.
    func makeTask(in session: URLSession, content: OpenBody?) -> URLSessionTask {
        var request = head
        if let data = body.unreadData, !data.isEmpty {
            request.httpBody = data
        }
        if let length = content?.length {
            Self.announce(length, in: &request)
        }
        #if canImport(FoundationNetworking)
            if let content {
                request.httpBodyStream = BodyStream.make(content)
            }
            return session.dataTask(with: request)
        #else
            let task: URLSessionTask =
                content == nil
                ? session.dataTask(with: request) : session.uploadTask(withStreamedRequest: request)
            // https://developer.apple.com/documentation/foundation/urlsessiontask/priority
            task.priority = Float(priority)
            return task
        #endif
    }

    /// Announces the length of a stream, so that it is not sent in chunks.
    static func announce(_ length: Int64, in request: inout URLRequest) {
        request.setValue(String(length), forHTTPHeaderField: "Content-Length")
        #if canImport(FoundationNetworking)
            // libcurl sends a body of unknown length in chunks, unless this field is there; it drops a blank one.
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        #endif
    }

    /// Checks that a request with content may be sent with a method.
    ///
    /// - Throws: ``RequestError`` with `.invalid`.
    package static func checkContent(of method: HTTP.Method) throws(RequestError) {
        // Foundation takes "get" for GET.
        guard ["GET", "HEAD", "TRACE"].contains(method.name.uppercased()) else {
            return
        }
        throw RequestError(
            .invalid,
            "\(method) with a body is not sent: RFC 9110, 9.3 gives it no meaning, and servers and proxies refuse it "
                + "or drop the body. Use POST, or put the content into the query")
    }

    /// A usable URL, with its scheme in lower case, because Linux accepts no other.
    ///
    /// - Throws: ``RequestError`` with `.invalidURL` for one without a host, of another scheme, or with user info (Fetch,
    ///   5.4: a request with credentials in its URL is refused).
    package static func checked(_ url: URL) throws(RequestError) -> URL {
        try RequestURL.check(scheme: url.scheme, host: url.host, of: "URL", url.absoluteString)
        // Looked for in the bytes first, because nearly no URL has one.
        if url.absoluteString.utf8.contains(UInt8(ascii: "@")), url.user != nil || url.password != nil {
            throw RequestError(
                .invalidURL,
                "The URL has a user or a password, which transports would drop or send depending on the system: send "
                    + "them in the header Authorization")
        }
        let scheme = url.scheme ?? ""
        if scheme == "http" || scheme == "https" {
            return url.baseURL == nil ? url : url.absoluteURL
        }
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.scheme = scheme.lowercased()
        return parts?.url ?? url
    }

    /// One value for each name: several are joined with commas, cookies with semicolons (RFC 9110, 5.3; RFC 6265, 5.4).
    ///
    /// The session frames the body: a wrong length would corrupt the connection.
    static func fields(of headers: HTTP.Headers) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for field in headers.fields where !framing.contains(field.name) {
            if let position = fields.firstIndex(where: { HTTP.Headers.Name($0.name) == field.name }) {
                fields[position].value += (field.name == .cookie ? "; " : ", ") + field.value
            } else {
                fields.append((field.name.text, field.value))
            }
        }
        return fields
    }

    private static let framing: [HTTP.Headers.Name] = [.contentLength, "Transfer-Encoding"]

    /// The headers of a session's configuration.
    static func headers(_ fields: [AnyHashable: Any]) -> HTTP.Headers {
        var headers = HTTP.Headers()
        for (name, value) in fields {
            if let name = name.base as? String {
                headers[HTTP.Headers.Name(name)] = "\(value)"
            }
        }
        return headers
    }

    /// The request, with those headers that it does not have itself.
    static func adding(_ headers: HTTP.Headers, to request: HTTP.Request) -> HTTP.Request {
        var request = request
        for field in headers.fields where request.headers[field.name] == nil {
            request.headers[field.name] = field.value
        }
        return request
    }
}
