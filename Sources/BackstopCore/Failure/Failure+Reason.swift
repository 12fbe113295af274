extension Failure {
    /// The reason for a failure. The list is complete: a `switch` needs no `default`.
    public enum Reason: Sendable {
        /// The task was cancelled. There is no one to tell.
        case cancelled
        /// The request could not be built or encoded; nothing was sent.
        case request(RequestError)
        /// No complete response: offline, unknown host, refused, lost, not trusted, ...
        case transport(TransportError)
        /// A time limit was reached: of an attempt, or of the whole call.
        case timeout(TimeoutError)
        /// A response whose status is not accepted.
        case status(StatusError)
        /// The service reported an error: a decoded API error, GraphQL errors.
        indirect case service(any ServiceError)
        /// A response whose content could not be decoded.
        case decoding(DecodingFailure)
        /// Not sent: a breaker is open, a limit is reached, a cache-only miss.
        case rejected(RejectionError)
        /// A file of a transfer could not be written or read, or is not what it should be.
        case storage(StorageError)
        /// Any other error.
        case other(any Error)

        /// Determines the reason for an error as thrown.
        ///
        /// - Parameters:
        ///   - error: The error.
        ///   - isCancelled: Whether the task that caught the error is cancelled: `Task.isCancelled` in an interceptor.
        ///     A `CancellationError` in a task that is not cancelled, such as one from a shared task that was, is a
        ///     real failure: `.other`. Default: whether the caller's task is cancelled.
        public init(classifying error: any Error, isCancelled: Bool = Task.isCancelled) {
            self.init(known: error)
            if case .cancelled = self, !isCancelled {
                let failure = error as? Failure
                self = .other(failure?.end.meant ?? failure?.underlying ?? error)
            }
        }

        private init(known error: any Error) {
            switch error {
            case let failure as Failure:
                self = failure.reason
            case let known as any FailureReasonConvertible:
                self = known.classifiedReason
            case is CancellationError:
                self = .cancelled
            case let service as any ServiceError:
                self = .service(service)
            case let decoding as DecodingError:
                self = .decoding(DecodingFailure(ofApp: decoding))
            case let encoding as EncodingError:
                self = .request(RequestError(.encoding, Self.text(of: encoding), underlying: encoding))
            default:
                self = .other(error)
            }
        }

        /// The stable name for machines.
        public var code: String {
            switch self {
            case .cancelled: "cancelled"
            case .request(let error): "request.\(Self.bounded(error.code.name))"
            case .transport(let error): "transport.\(Self.bounded(error.code.name))"
            case .timeout(let error): "timeout.\(Self.bounded(error.kind.name))"
            case .status(let error): "status.\(error.code)"
            case .service(let error): "service.\(Self.bounded(error.failureCode))"
            case .decoding: "decoding"
            case .rejected(let error): "rejected.\(Self.bounded(error.code.name))"
            case .storage(let error): "storage.\(error.code.name)"
            case .other: "other"
            }
        }

        /// The kind without details: `status` for `status.503`.
        public var kind: String {
            String(code.prefix { $0 != "." })
        }

        /// The status that was not accepted; nil for another reason.
        package var statusCode: Int? {
            if case .status(let error) = self { error.code } else { nil }
        }

        /// The rejection, if an interceptor rejected the request.
        var rejection: RejectionError? {
            if case .rejected(let error) = self { error } else { nil }
        }

        /// The response that was checked; nil when the error has none.
        package var response: (any CallResponse)? {
            if case .status(let error) = self { error.response } else { nil }
        }

        /// The same with the body cut to a number of bytes.
        func bounded(to bytes: Int) -> Reason {
            if case .status(let error) = self { .status(error.bounded(to: bytes)) } else { self }
        }

        /// Whether the cause is transient.
        ///
        /// - Parameters:
        ///   - statusCode: The status of the response, which decides for service errors that do not.
        ///   - request: The request, which decides for errors of an unknown kind; nil for none.
        ///   - response: The response, which may say that a status is a limit of calls; nil for none.
        ///   - now: The time since 1970-01-01 UTC.
        func isTransient(
            statusCode: Int?, of request: (any CallRequest)?, beside response: (any CallResponse)?, now: Duration
        ) -> Bool {
            func isTransient(_ code: Int) -> Bool {
                StatusError.Facts.of(code).isTransient || response?.isLimit(code, now: now) == true
            }
            return switch self {
            case .cancelled, .request, .decoding, .storage: false
            case .other(let error): request?.isTransient(error) ?? false
            case .transport(let error): error.code.isTransient
            case .timeout(let error): error.kind.isTransient
            case .status(let error): isTransient(error.code)
            case .service(let error):
                error.isTransient ?? statusCode.map(isTransient) ?? false
            case .rejected(let error): error.isTransient
            }
        }

        /// The error of this type that was thrown, or stands in it; the first such one of an error that consists of several.
        func error<E: Error>(as type: E.Type, thrown: any Error) -> E? {
            if case .service(let error) = self {
                let parts = (error as? any CompositeError)?.parts ?? []
                if let typed = error as? E ?? parts.lazy.compactMap({ $0 as? E }).first {
                    return typed
                }
            }
            if let typed = thrown as? E {
                return typed
            }
            // A transport wraps the system's error: a URLError, for example.
            return switch self {
            case .transport(let error): error.underlying as? E
            case .request(let error): error.underlying as? E
            case .storage(let error): error.underlying as? E
            // The error thrown by an app's own `init(from:)`, or by the decoder.
            case .decoding(let error): error as? E ?? error.underlying as? E
            default: nil
            }
        }

        /// A code chosen by a server or an app, made fit for a log line. A long one may be a token, even if it has only
        /// letters, digits and dots.
        private static func bounded(_ code: String) -> String {
            let isPlain =
                code.utf8.count <= 24
                && code.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                        || [0x2D, 0x2E, 0x5F].contains(byte)
                }
            return isPlain ? code : Redaction.shown(code, upTo: 100)
        }

        private static func text(of error: EncodingError) -> String {
            guard case .invalidValue(_, let context) = error else {
                return "The value could not be encoded"
            }
            // Without the value: it may be a secret.
            let path = context.codingPath.reduce("$") { path, key in
                key.intValue.map { "\(path)[\($0)]" } ?? "\(path).\(key.stringValue)"
            }
            return "\(path): \(context.debugDescription)"
        }
    }
}

/// An error that maps itself to a failure reason.
///
/// Conform the errors of your own transports and interceptors, so that handlers see what kind they are.
///
/// ```swift
/// struct QuotaReached: Error, FailureReasonConvertible {
///     var classifiedReason: Failure.Reason { .rejected(RejectionError("quota", "The daily quota is used up.")) }
/// }
/// ```
public protocol FailureReasonConvertible: Error {
    /// The kind of failure.
    var classifiedReason: Failure.Reason { get }
}

extension DecodingFailure: FailureReasonConvertible {
    /// `.decoding` with this failure.
    public var classifiedReason: Failure.Reason { .decoding(self) }
}
