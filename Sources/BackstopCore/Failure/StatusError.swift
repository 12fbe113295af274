/// A response whose status is not accepted.
public struct StatusError: Error, Sendable, Equatable, FailureReasonConvertible {
    /// The status code.
    public var code: Int { parts.value.code }
    /// What else is wrong with the response; nil when it is only the status.
    public var detail: String? { parts.value.detail }
    /// The response as the interceptor saw it; nil for an error created without one.
    public var response: (any CallResponse)? { parts.value.response }

    /// Whether the response has what was asked for all the same.
    var isExecuted: Bool { parts.value.isExecuted }

    private let parts: Shared<(code: Int, detail: String?, response: (any CallResponse)?, isExecuted: Bool)>

    /// Makes the error.
    public init(_ code: Int, detail: String? = nil, response: (any CallResponse)? = nil) {
        self.init(code, detail: detail, response: response, isExecuted: false)
    }

    /// Makes the error of a response that may have what was asked for all the same.
    package init(_ code: Int, detail: String?, response: (any CallResponse)?, isExecuted: Bool) {
        parts = Shared((code, detail, response, isExecuted))
    }

    /// The same with the response body cut to a number of bytes.
    func bounded(to bytes: Int) -> StatusError {
        StatusError(code, detail: detail, response: response?.bounded(to: bytes), isExecuted: isExecuted)
    }

    /// Whether both have the same code and detail; responses are ignored.
    public static func == (left: StatusError, right: StatusError) -> Bool {
        left.code == right.code && left.detail == right.detail
    }

    /// `.status` with this error.
    public var classifiedReason: Failure.Reason { .status(self) }

    /// The registered name of a status code; nil when there is none.
    public static func reasonPhrase(of code: Int) -> String? {
        names[code]
    }

    /// The IANA registry of HTTP status codes.
    private static let names: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
        417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked",
        424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates",
        507: "Insufficient Storage", 508: "Loop Detected", 511: "Network Authentication Required",
    ]
}

extension StatusError: DescribedInDumps {
    /// The code and its name; secrets of the detail redacted.
    public var description: String {
        "status \(code)" + (Self.reasonPhrase(of: code).map { " \($0)" } ?? "")
            + (detail.map { ": \(Redaction.shown($0))" } ?? "")
    }
}
