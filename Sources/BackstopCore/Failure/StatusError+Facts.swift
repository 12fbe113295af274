extension StatusError {
    /// The facts about some statuses, or about all without a row of their own.
    package struct Facts: Sendable {
        /// The statuses.
        package let codes: [Int]
        /// Whether the same request may succeed later.
        package let isTransient: Bool
        /// Whether the server may still have done its work.
        let leavesDoubt: Bool
        /// What a developer can do about it.
        package let nextStep: String
        /// The text for people.
        package let message: MessageTemplate

        private init(
            _ codes: Int..., isTransient: Bool = false, leavesDoubt: Bool = false, nextStep: String,
            message: MessageTemplate = .status
        ) {
            self.codes = codes
            self.isTransient = isTransient
            self.leavesDoubt = leavesDoubt
            self.nextStep = nextStep
            self.message = message
        }
    }
}

extension StatusError.Facts {
    /// The facts about a status.
    package static func of(_ code: Int) -> Self {
        byCode[code] ?? (300..<400 ~= code ? redirect : 500..<600 ~= code ? serverFault : other)
    }

    private static let byCode = Dictionary(
        uniqueKeysWithValues: table.flatMap { facts in facts.codes.map { ($0, facts) } })

    /// The statuses with rows of their own, in numeric order.
    package static let table: [Self] = [
        Self(
            304,
            nextStep: "Send If-None-Match and If-Modified-Since only with a cache that has the answer, or accept 304 "
                + "in "
                + "StatusValidation."),
        Self(
            400, 422, nextStep: "Correct the request: the server's answer says what it does not accept.",
            message: .badInput),
        Self(401, nextStep: "Send credentials, or renew those that were sent.", message: .signedOut),
        Self(402, nextStep: "Pay, or raise the plan that the service is used with."),
        Self(
            403,
            nextStep: "Give this account the right, or call with another: the credentials are known, but not enough.",
            message: .forbidden),
        Self(404, nextStep: "Check host and path of the endpoint, and that the item exists.", message: .notFound),
        Self(405, nextStep: "Use a method that the server's Allow header names."),
        Self(406, nextStep: "Ask with Accept for a type that the server has."),
        Self(407, nextStep: "Give the proxy the credentials it asks for.", message: .proxy),
        Self(
            408, isTransient: true,  // the server gave up waiting for the request (RFC 9110, 15.5.9)
            nextStep: "Send the request again, and check that its body goes out without a pause.", message: .timeout),
        Self(409, nextStep: "Load the current state, and apply the change to that.", message: .conflict),
        Self(410, nextStep: "Forget this address: the server says that it is gone for good.", message: .gone),
        Self(412, nextStep: "Load the current version, and send its ETag with If-Match.", message: .conflict),
        Self(413, nextStep: "Send less: in parts, or smaller.", message: .tooBig),
        Self(414, nextStep: "Shorten the URL, or send the query in a body."),
        Self(415, nextStep: "Send a Content-Type that the server reads."),
        Self(
            421,
            nextStep: "Send it on a connection of its own: the server does not answer for this host on the one used."
        ),
        Self(
            425, isTransient: true,  // the server wants the request without early data (RFC 8470)
            nextStep: "Send it again without early data.", message: .unavailable),
        Self(426, nextStep: "Use the protocol that the server's Upgrade header names."),
        Self(428, nextStep: "Send If-Match with the ETag of the version that is to be changed."),
        Self(
            429, isTransient: true,  // too many requests (RFC 6585)
            nextStep: "Send fewer requests in the same time.", message: .tooMany),
        Self(431, nextStep: "Send shorter headers; mostly cookies are what is too long."),
        Self(451, nextStep: "Do not ask again: the server may not answer for legal reasons.", message: .legal),
        Self(
            500, isTransient: true,  // often of one instance
            nextStep: "Look into the server's log: the fault is inside the server.", message: .serverError),
        Self(
            501, 505, nextStep: "Ask for what the server supports: it does not know this method or version of HTTP.",
            message: .serverError),
        Self(
            502, isTransient: true, leavesDoubt: true,  // a gateway got no good answer
            nextStep: "Look at the server behind the gateway: it gave no good answer, or none in time.",
            message: .serverError),
        Self(
            503, isTransient: true,  // overloaded or in maintenance (RFC 9110, 15.6.4)
            nextStep: "Call again later: the server is overloaded, or in maintenance.", message: .unavailable),
        Self(
            504, isTransient: true, leavesDoubt: true,  // a gateway got no answer in time
            nextStep: "Look at the server behind the gateway: it gave no good answer, or none in time.",
            message: .timeout),
        Self(507, nextStep: "Make room on the server: its storage is full.", message: .serverError),
        Self(508, nextStep: "Correct the server: it found a loop in what was asked.", message: .serverError),
        Self(511, nextStep: "Sign in to the network that the device is in.", message: .proxy),
    ]

    /// Any other status from 300 to 399.
    package static let redirect = Self(
        nextStep: "The redirect was not followed: ask the address in Location, if there is one.")
    /// Any other status from 500 to 599.
    package static let serverFault = Self(
        nextStep: "Look into the server's log: the fault is inside the server.", message: .serverError)
    package static let other = Self(nextStep: "Look at the body above, or accept this status in StatusValidation.")
    /// Any other status.
}
