internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A request converted for the session, and checked.
struct OutgoingRequest: Sendable {
    /// Method, URL, headers and timeout; the body is added when the task is made.
    let head: URLRequest
    /// The content; `.none` when it is empty.
    let body: HTTP.Body
    /// Whether it may be sent only once.
    private let isOnce: Bool

    /// Converts a request.
    ///
    /// - Throws: ``RequestError`` when it cannot be sent.
    init(_ request: HTTP.Request, timeout: TimeInterval) throws(RequestError) {
        if let refused = request.headers.refused {
            throw refused
        }
        body = request.body.data?.isEmpty == true ? .none : request.body
        if !body.isNone, Self.methodsWithoutContent.contains(request.method.name) {
            throw RequestError(
                .invalid,
                "\(request.method) with a body cannot be sent: URLSession refuses it, and RFC 9110, 9.3 gives it "
                    + "no meaning. Use POST, or put the content into the query")
        }
        isOnce = !request.isIdempotent
        var head = URLRequest(url: try Self.checked(request.url))
        head.httpMethod = request.method.name
        head.timeoutInterval = timeout
        for (name, value) in Self.fields(of: request.headers) {
            head.setValue(value, forHTTPHeaderField: name)
        }
        self.head = head
    }

    /// Whether the request must not use a reused connection.
    ///
    /// libcurl itself sends a request again when such a connection ends without a byte of a response, although the
    /// server may already have processed it (RFC 9110, 9.2.2). Only with content in memory does it ask first, see
    /// ``Exchange/newBodyStream()``.
    var needsOwnConnection: Bool {
        #if canImport(FoundationNetworking)
            return isOnce && body.data?.isEmpty != false
        #else
            return false
        #endif
    }

    /// Makes the task. It opens files and streams, so it may block.
    ///
    /// A file is sent as a stream too: the session's own file task does not notice when one changes, and on Linux it
    /// traps when cancelled while reading.
    ///
    /// - Parameter length: See ``length(of:)``.
    /// - Returns: The task, and the body that the session will ask for; nil when it already has it.
    /// - Throws: ``RequestError`` with `.bodyUnreadable`.
    func makeTask(
        in session: URLSession, length: UInt64?, events: CountedBody.Events
    ) throws(RequestError) -> (task: URLSessionTask, body: CountedBody?) {
        var request = head
        switch body {
        case .none:
            break
        case .data(let data):
            request.httpBody = data
        case .file, .stream:
            let content = try Self.counted(body, length: length, events: events)
            guard length != 0 else {
                // The head alone is a complete request, so it may be sent only if nothing is to follow.
                try content?.checkEmpty()
                break
            }
            if let length {
                Self.announce(length, in: &request)
            }
            #if canImport(FoundationNetworking)
                request.httpBodyStream = content.map(BodyStream.make)
            #else
                return (session.uploadTask(withStreamedRequest: request), content)
            #endif
        }
        return (session.dataTask(with: request), nil)
    }

    /// The announced length of a file or stream; nil when it is sent in chunks.
    ///
    /// - Throws: ``RequestError`` with `.bodyUnreadable`.
    static func length(of body: HTTP.Body) throws(RequestError) -> UInt64? {
        switch body {
        case .none, .data: nil
        case .file(let url): try sizeOfFile(url)
        case .stream(let stream): stream.length.flatMap { UInt64(exactly: $0) }
        }
    }

    /// The bytes of a file or a stream from their start, counted.
    ///
    /// - Throws: ``RequestError`` with `.bodyUnreadable`.
    static func stream(
        of body: HTTP.Body, length: UInt64?, events: CountedBody.Events
    ) throws(RequestError) -> InputStream? {
        try counted(body, length: length, events: events).map(BodyStream.make)
    }

    private static func counted(
        _ body: HTTP.Body, length: UInt64?, events: CountedBody.Events
    ) throws(RequestError) -> CountedBody? {
        switch body {
        case .none, .data:
            return nil
        case .file(let url):
            guard let source = InputStream(url: url) else {
                throw RequestError(.bodyUnreadable, "The file \(url.lastPathComponent) of the body cannot be opened")
            }
            let name = "The file \(url.lastPathComponent) of the body"
            return CountedBody(source, length: length, name: name, events: events)
        case .stream(let stream):
            let source: InputStream
            do {
                source = try stream.open()
            } catch {
                throw RequestError(.bodyUnreadable, "The stream of the body cannot be opened", underlying: error)
            }
            return CountedBody(source, length: length, name: "The stream of the body", events: events)
        }
    }

    /// Announces the length of a stream, so that it is not sent in chunks.
    static func announce(_ length: UInt64, in request: inout URLRequest) {
        request.setValue(String(length), forHTTPHeaderField: "Content-Length")
        #if canImport(FoundationNetworking)
            // libcurl sends a body of unknown length in chunks, unless this field is there; it drops a blank one.
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        #endif
    }

    private static let methodsWithoutContent: Set<String> = ["GET", "HEAD", "TRACE"]

    /// The length of a readable file.
    private static func sizeOfFile(_ url: URL) throws(RequestError) -> UInt64 {
        guard url.isFileURL else {
            throw RequestError(.bodyUnreadable, "The URL of the body is not a file URL")
        }
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer {
                try? handle.close()
            }
            // Directories can be opened, but not read.
            _ = try handle.read(upToCount: 1)
            return try handle.seekToEnd()
        } catch {
            throw RequestError(
                .bodyUnreadable, "The file \(url.lastPathComponent) of the body cannot be read", underlying: error)
        }
    }

    /// A usable URL, with its scheme in lower case, because Linux accepts no other.
    static func checked(_ url: URL) throws(RequestError) -> URL {
        try RequestURL.check(scheme: url.scheme, host: url.host, of: "URL", url.absoluteString)
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
        var positions: [HTTP.Headers.Name: Int] = [:]
        for field in headers.fields where !framing.contains(field.name) {
            if let position = positions[field.name] {
                fields[position].value += (field.name == .cookie ? "; " : ", ") + field.value
            } else {
                positions[field.name] = fields.count
                fields.append((field.name.text, field.value))
            }
        }
        return fields
    }

    private static let framing: Set<HTTP.Headers.Name> = [.contentLength, "Transfer-Encoding"]

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
