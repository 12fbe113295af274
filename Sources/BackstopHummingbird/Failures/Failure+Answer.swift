#if Hummingbird
    internal import BackstopCore

    extension Failure {
        /// The status of the answer to a request that ended with this failure; `Docs/Transports.md` has the table.
        var answerStatus: Int {
            switch reason {
            case .cancelled: 499  // the caller has left: nobody reads it, and it is no error of the server
            case .request, .storage, .other: 500  // the fault is in this server
            case .rejected(let error): error.code == .idempotencyKey ? 500 : 503  // nothing was sent
            case .timeout(let error): error.kind == .connection ? 503 : 504  // nothing was sent, or nobody knows
            case .transport, .decoding: 502  // no usable answer
            case .status, .service:
                switch statusCode {
                // Too many requests of this server's are not the caller's fault.
                case 429, 503: 503
                case 504: 504
                // Also a 4xx: the request that the service refused is this server's.
                default: 502
                }
            }
        }

        /// The code as callers see it: without that of a service's own error, which is the service's text.
        var publicCode: String {
            if case .service = reason { reason.kind } else { code }
        }

        /// How long callers are asked to wait, in whole seconds from 1 to 3,600; nil when nobody knows.
        var publicRetryAfter: Int? {
            retryAfter.map { Int(min(max($0.seconds.rounded(.up), 1), 3600)) }
        }
    }
#endif
