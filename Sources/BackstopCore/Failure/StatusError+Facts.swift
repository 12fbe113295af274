extension StatusError {
    /// The facts about a status, or about all without a row of their own.
    package struct Facts: Sendable {
        /// The status; 0 for all without a row of their own.
        package private(set) var code = 0
        /// Whether the same request may succeed later.
        package private(set) var isTransient = false
        /// Whether the server may still have done its work.
        package private(set) var leavesDoubt = false
        /// What a developer can do about it.
        package let nextStep: String
        /// The text for people.
        package private(set) var message = MessageTemplate.status
    }
}

extension StatusError.Facts {
    /// The facts about a status.
    package static func of(_ code: Int) -> Self {
        table.first { $0.code == code } ?? (300..<400 ~= code ? redirect : code >= 500 ? serverFault : other)
    }

    /// The statuses with rows of their own, in numeric order.
    package static let table: [Self] = [
        Self(
            code: 304,
            nextStep: "Send If-None-Match and If-Modified-Since only with a cache that has the response, or accept 304 "
                + "in "
                + "StatusValidation.",
            message: .request),
        Self(
            code: 400, nextStep: "Correct the request: the response says what the server does not accept.",
            message: .badInput),
        Self(code: 401, nextStep: "Send credentials, or renew those that were sent.", message: .signedOut),
        Self(code: 402, nextStep: "Pay, or upgrade the service plan.", message: .payment),
        Self(
            code: 403,
            nextStep: "Grant this account access, or use another: its credentials are known, but not sufficient.",
            message: .forbidden),
        Self(code: 404, nextStep: "Check the endpoint's host and path, and that the item exists.", message: .notFound),
        Self(code: 405, nextStep: "Use a method listed in the response's Allow header.", message: .request),
        Self(code: 406, nextStep: "Send an Accept header with a type that the server provides.", message: .request),
        Self(code: 407, nextStep: "Give the proxy the credentials it asks for.", message: .proxy),
        Self(
            code: 408, isTransient: true,  // the server gave up waiting for the request (RFC 9110, 15.5.9)
            nextStep: "Send the request again, and check that its body is sent without pauses.", message: .timeout),
        Self(code: 409, nextStep: "Load the current state, and apply the change to it.", message: .conflict),
        Self(code: 410, nextStep: "Stop using this address: the server says that it is gone for good.", message: .gone),
        Self(code: 412, nextStep: "Load the current version, and send its ETag with If-Match.", message: .changed),
        Self(code: 413, nextStep: "Send less, in parts or as smaller content.", message: .tooBig),
        Self(code: 414, nextStep: "Shorten the URL, or send the query in a body.", message: .request),
        Self(code: 415, nextStep: "Send a Content-Type that the server accepts.", message: .request),
        Self(
            code: 421,
            nextStep: "Use a separate connection: the server does not serve this host on the one used."
        ),
        Self(
            code: 422, nextStep: "Correct the request: the response says what the server does not accept.",
            message: .badInput),
        Self(
            code: 425, isTransient: true,  // the server wants the request without early data (RFC 8470)
            nextStep: "Send it again without early data.", message: .unavailable),
        Self(code: 426, nextStep: "Use the protocol named in the response's Upgrade header.", message: .request),
        Self(code: 428, nextStep: "Send If-Match with the ETag of the version to change.", message: .request),
        Self(
            code: 429, isTransient: true,  // too many requests (RFC 6585)
            nextStep: "Send requests less often.", message: .tooMany),
        Self(code: 431, nextStep: "Send shorter headers; usually the cookies are too long.", message: .request),
        Self(code: 451, nextStep: "Do not retry: the server must not answer, for legal reasons.", message: .legal),
        Self(
            code: 500, isTransient: true, leavesDoubt: true,  // often of one instance, and anywhere in its work
            nextStep: "Check the server's log: the error is in the server.", message: .serverError),
        Self(
            code: 501, nextStep: "Use what the server supports: it does not know this method or HTTP version.",
            message: .serverError),
        Self(
            code: 502, isTransient: true, leavesDoubt: true,  // a gateway got no good answer
            nextStep: "Check the server behind the gateway: it sent no valid response, or none in time.",
            message: .serverError),
        Self(
            code: 503, isTransient: true,  // overloaded or in maintenance (RFC 9110, 15.6.4)
            nextStep: "Call again later: the server is overloaded or under maintenance.", message: .unavailable),
        Self(
            code: 504, isTransient: true, leavesDoubt: true,  // a gateway got no answer in time
            nextStep: "Check the server behind the gateway: it sent no valid response, or none in time.",
            message: .timeout),
        Self(
            code: 505, nextStep: "Use what the server supports: it does not know this method or HTTP version.",
            message: .serverError),
        Self(code: 507, nextStep: "Free up storage on the server: it is full.", message: .serverError),
        Self(
            code: 508, nextStep: "Fix the server: it found a loop while processing the request.",
            message: .serverError),
        Self(code: 511, nextStep: "Sign in to the network that the device is using.", message: .proxy),
    ]

    /// Any other status from 300 to 399.
    package static let redirect = Self(
        nextStep: "The redirect was not followed: request the address in Location, if there is one.",
        message: .request)
    /// Any other status from 500 on; what is no status counts as one (RFC 9110, 15). A proxy's 520, 522 or 524 may have reached the server behind it.
    package static let serverFault = Self(
        leavesDoubt: true,
        nextStep: "Check the server's log: the error is in the server.", message: .serverError)
    /// Any other status.
    package static let other = Self(
        nextStep: "See what the server means by this status, or accept it in StatusValidation.")
}
