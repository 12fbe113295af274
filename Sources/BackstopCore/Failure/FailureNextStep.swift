extension Failure {
    /// One step that helps a developer in this case; nil when there is none.
    var nextStep: String? {
        switch reason {
        case .cancelled: nil
        case .request(let error): error.code.nextStep
        case .transport(let error): mayHaveWorked ? Self.mayHaveWorkedStep : error.nextStep
        case .timeout(let error): mayHaveWorked ? Self.mayHaveWorkedStep : nextStep(after: error)
        case .status(let error): mayHaveWorked ? Self.mayHaveWorkedStep : nextStep(afterStatus: error.code)
        case .service(let error): nextStep(after: error)
        case .decoding(let error): error.nextStep
        case .rejected(let error): nextStep(after: error)
        case .other(let error) where error.saysCancelled:
            error is CancellationError
                ? "Let nobody cancel what calls share, such as a token refresh: give it an unstructured Task of its own, and "
                    + "begin a new one when it was cancelled."
                : "Find out who cancelled the transfer: a session that was invalidated while calls were under way, or code "
                    + "that cancels the session's tasks."
        case .other(let error):
            "Make \(TypeName.text(type(of: error))) FailureReasonConvertible, so that handlers see what kind it is."
        }
    }

    private static let mayHaveWorkedStep =
        "The server may have done its work: check there before sending again, or send an Idempotency-Key, with which it "
        + "may be repeated."

    private func nextStep(after error: TimeoutError) -> String {
        if error.kind == .connection {
            return Self.busyStep
        }
        if error.kind == .deadline, attempts.count > 1 || endedInWait {
            return "Allow fewer attempts, or raise the deadline: the attempts and the waits between them used it up."
        }
        let limit = error.kind == .deadline ? "the deadline" : "the limit of AttemptTimeout"
        return switch progress?.phase {
        case .queued: Self.busyStep
        case .connecting: "Check the network, VPN and firewall: there was no connection to the host in time."
        case .sending: "Send less, or raise \(limit) for large bodies: the request was still going out."
        case .waiting: "Find out why the server takes so long to begin its answer, or raise \(limit) for this call."
        case .receiving: "Ask for less, or raise \(limit) for large answers: this one was still arriving."
        case .unknown, nil:
            receivedResponse != nil && progress == nil
                ? "Look at the interceptors of the chain: the response had arrived, and one of them was not done with it."
                : "Find out why the server is slow, or raise \(limit) for this call."
        }
    }

    private static let busyStep =
        "Make fewer calls to the host at once, or raise connectionsPerHost of the transport."

    private func nextStep(after error: any ServiceError) -> String {
        if let own = error.failureNextStep, !own.isEmpty {
            return own
        }
        let status = (error as? any StatusMeaning)?.meantStatus ?? statusCode ?? 0
        if retryAfter != nil || [401, 403, 404, 410].contains(status) || status >= 500 {
            return nextStep(afterStatus: status)
        }
        return "Read the error's fields with failure.error(as: \(TypeName.text(type(of: error))).self)."
    }

    private func nextStep(after error: RejectionError) -> String? {
        switch error.code {
        case "cacheMiss": "Allow the network, or fill the cache before: nothing is stored for this request."
        case "script": "Give the ScriptedTransport one more entry for this request."
        default: error.isTransient ? "Nothing was sent, so the call can be made again later." : nil
        }
    }

    private func nextStep(afterStatus code: Int) -> String {
        if let wait = retryAfter, wait > .zero {
            return code == 429
                ? "Send fewer requests: the server asks for a wait of \(wait.text) before the next one."
                : "Wait \(wait.text) before the next call, as the server asks with Retry-After."
        }
        return StatusError.nextStep(after: code)
    }
}

extension StatusError {
    fileprivate static func nextStep(after code: Int) -> String {
        switch code {
        case 304:
            "Send If-None-Match and If-Modified-Since only with a cache that has the answer, or accept 304 in "
                + "StatusValidation."
        case 300..<400: "The redirect was not followed: ask the address in Location, if there is one."
        case 400, 422: "Correct the request: the server's answer says what it does not accept."
        case 401: "Send credentials, or renew those that were sent."
        case 402: "Pay, or raise the plan that the service is used with."
        case 403: "Give this account the right, or call with another: the credentials are known, but not enough."
        case 404: "Check host and path of the endpoint, and that the item exists."
        case 405: "Use a method that the server's Allow header names."
        case 406: "Ask with Accept for a type that the server has."
        case 407: "Give the proxy the credentials it asks for."
        case 408: "Send the request again, and check that its body goes out without a pause."
        case 409: "Load the current state, and apply the change to that."
        case 410: "Forget this address: the server says that it is gone for good."
        case 412: "Load the current version, and send its ETag with If-Match."
        case 413: "Send less: in parts, or smaller."
        case 414: "Shorten the URL, or send the query in a body."
        case 415: "Send a Content-Type that the server reads."
        case 421: "Send it on a connection of its own: the server does not answer for this host on the one used."
        case 425: "Send it again without early data."
        case 426: "Use the protocol that the server's Upgrade header names."
        case 428: "Send If-Match with the ETag of the version that is to be changed."
        case 429: "Send fewer requests in the same time."
        case 431: "Send shorter headers; mostly cookies are what is too long."
        case 451: "Do not ask again: the server may not answer for legal reasons."
        case 501, 505: "Ask for what the server supports: it does not know this method or version of HTTP."
        case 502, 504: "Look at the server behind the gateway: it gave no good answer, or none in time."
        case 503: "Call again later: the server is overloaded, or in maintenance."
        case 507: "Make room on the server: its storage is full."
        case 508: "Correct the server: it found a loop in what was asked."
        case 511: "Sign in to the network that the device is in."
        case 500...: "Look into the server's log: the fault is inside the server."
        default: "Look at the body above, or accept this status in StatusValidation."
        }
    }
}

extension RequestError.Code {
    fileprivate var nextStep: String {
        switch self {
        case .invalidURL: "Correct the URL, or what the endpoint puts into it."
        case .invalidHeader: "Take line ends and control characters out of the header's name and value."
        case .invalidMethod: "Use a method of letters only, such as GET or POST."
        case .encoding: "Make the value encodable, or give the encoder a strategy for it."
        case .bodyUnreadable: "Check that the file or the stream is there and can be read."
        case .bodyLength: "Announce the length that the body has, or none."
        case .invalid: "Correct what makeRequest() of the endpoint threw."
        }
    }
}

extension TransportError {
    fileprivate var nextStep: String {
        switch code {
        case .offline: "Wait for a connection, then call again."
        case .dns: "Check the host's name for a typing error, and the resolver."
        case .refused: "Check that the server runs, and listens on this address and port."
        case .unreachable: "Check the network, VPN and firewall between here and the host."
        case .lost, .truncated: "Look at the server and what stands before it: something closes connections early."
        case .tls:
            "Check which versions of TLS both sides accept, and whether the server wants a client certificate: with TLS "
                + "1.2 a missing one looks like this."
        case .certificate: certificateStep
        case .clientCertificate: "Give the session a client certificate that the server accepts."
        case .badResponse: "Check that the port speaks HTTP, and whether with TLS or without."
        case .redirects:
            detail.contains("loop")
                ? "Correct the redirects on the server, which lead in a loop; a cookie that is not kept can be the cause."
                : "Ask the final address, or follow more redirects."
        case .redirectRefused: "Ask the final address directly, with a body that can be sent again."
        case .tooLarge: "Ask for less, in pages or ranges, or raise responseLimit of the transport."
        case .notAllowed: "Check the app's permissions and App Transport Security."
        case .system: "Check the session's configuration, and the space on the disk."
        case .unknown:
            detail.isEmpty
                ? "Look at the underlying error."
                : underlying == nil ? "Look up what the transport says above." : "Look up the system's own text above."
        }
    }

    /// The text tells what is wrong with a certificate; a code of its own does not exist everywhere.
    private var certificateStep: String {
        let text = "\(detail) \(underlying.map { String(describing: $0) } ?? "")".lowercased()
        if text.contains("expired") || text.contains("-1201") {
            return "Renew the server's certificate, which has expired; or set this device's clock, if it is wrong."
        }
        if text.contains("not yet valid") || text.contains("-1204") {
            return "Set this device's clock: the certificate is not valid yet."
        }
        if text.contains("self-signed") || text.contains("self signed") || text.contains("-1203")
            || text.contains("unable to get local issuer")
        {
            return "Use a certificate of an issuer that this system trusts, and send the intermediate ones along."
        }
        if text.contains("subject name") || text.contains("hostname") || text.contains("host name") {
            return "Call the server by a name that stands in its certificate, or add the name to the certificate."
        }
        return "Check the certificate's dates, names and issuer."
    }
}

extension DecodingFailure {
    fileprivate var nextStep: String {
        switch kind {
        case .html:
            found.hasSuffix(HTMLPage.signIn)
                ? "Check whether the session has ended, and whether a network asks for a sign-in."
                : "Open the address in a browser: the server, or a proxy before it, answers with a page."
        case .empty: "Make the content optional, or use an endpoint without content, where an answer may be empty."
        case .truncated: "Look at the server: it ends its answer in the middle of a value."
        case .notJSON: "Look at what the server sends; it is not the JSON it should be."
        case .tooDeep: "Ask the server for an answer that is nested less deeply."
        case .missingKey:
            found.contains(": there is \"")
                ? "Name the key that is there in CodingKeys, if it is the one that is meant."
                : "Make the property optional, or ask the server for the value."
        case .missingValue: "Make the property optional, or ask the server for the value."
        case .typeMismatch where expected.hasPrefix("content of type"):
            "Accept this type in StatusValidation, or ask for the right one with Accept."
        case .typeMismatch: "Declare the property as what the server sends, or ask the server for \(expected)."
        case .corrupted:
            "\(detail) \(expected)".lowercased().contains("date")
                ? "Set the decoder's dateDecodingStrategy to the format that the server sends."
                : "Teach the type to read this value, or ask the server for one that it knows."
        }
    }
}
