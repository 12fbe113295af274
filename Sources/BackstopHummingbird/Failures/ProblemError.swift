#if Hummingbird
    internal import Backstop
    internal import BackstopCore
    internal import HTTPTypes
    internal import Hummingbird

    /// An error as it is answered: problem details (RFC 9457) without a word of the service that was called.
    ///
    /// It is thrown on, so that middlewares further out see an error with the status of the answer, as they do with
    /// Hummingbird's own: `TracingMiddleware` marks the span, `CORSMiddleware` adds its fields.
    struct ProblemError: HTTPResponseError, CustomStringConvertible {
        let status: HTTPResponse.Status
        var headers: HTTPFields = [:]
        var detail: String?
        var code: String?

        /// - Parameter detail: A sentence for the caller; nil for what the status means.
        init(_ status: Int, headers: HTTPFields = [:], detail: String? = nil, code: String? = nil) {
            self.status = HTTPResponse.Status(
                code: status,
                reasonPhrase: StatusError.reasonPhrase(of: status) ?? (status == 499 ? "Client Closed Request" : ""))
            self.headers = headers
            self.detail = detail ?? Self.details[status]
            self.code = code
        }

        /// - Parameter status: The status of the answer.
        init(_ failure: Failure, status: Int) {
            self.init(status, code: failure.publicCode)
            headers[.retryAfter] = failure.publicRetryAfter.map(String.init)
        }

        /// What the statuses mean that a failure is answered with.
        private static let details = [
            502: "A service that this server depends on gave no usable answer.",
            503: "A service that this server depends on is not available at the moment.",
            504: "A service that this server depends on did not answer in time.",
        ]

        /// The status and the code.
        var description: String {
            "\(status.code)" + (code.map { " \($0)" } ?? "")
        }

        /// The problem details; only their head for `HEAD`.
        func response(from request: Request, context: some RequestContext) throws -> Response {
            let title = status.reasonPhrase.isEmpty ? nil : status.reasonPhrase
            let path = request.uri.path
            let texts = [
                ("title", title), ("detail", detail), ("instance", path.utf8.count <= 2000 ? path : nil),
                ("code", code),
            ].compactMap { name, text in text.map { (name, JSONWriter.quoted($0)) } }
            let body = JSONWriter.object(
                [("type", JSONWriter.quoted("about:blank")), ("status", "\(status.code)")] + texts)
            var response = body.response(from: request, context: context)
            var headers = headers
            headers[.contentType] = "application/problem+json"
            headers[.contentLength] = response.headers[.contentLength]
            response.status = status
            response.headers = headers
            return request.method == .head ? response.createHeadResponse() : response
        }
    }
#endif
