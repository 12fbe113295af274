#if GRPC
    public import BackstopCore
    public import GRPCCore

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    extension RPCError: FailureReasonConvertible, ServiceError, StatusMeaning, FailureCarrier {
        /// What its code means: `.cancelled`, `.timeout` for `DEADLINE_EXCEEDED`, or `.service` with this error, whose
        /// `failure.code` is `service.grpc.` followed by the code: `service.grpc.notFound`. It is `.service` too if the
        /// server ended a call of a ``PolicyTransport`` with one of those two by itself.
        ///
        /// An error of a ``PolicyTransport`` has the meaning of the `Failure` that is its cause.
        ///
        /// ```swift
        /// func isMissing(_ error: any Error) -> Bool {
        ///     Failure(error).error(as: RPCError.self)?.code == .notFound
        /// }
        /// ```
        public var classifiedReason: Failure.Reason {
            if let carriedFailure {
                return carriedFailure.reason
            }
            return switch code {
            case _ where cause is OwnStatus: .service(self)
            case .cancelled: .cancelled
            case .deadlineExceeded: .timeout(TimeoutError(.deadline))
            default: cause is CancellationError ? .cancelled : .service(self)
            }
        }

        package var carriedFailure: Failure? { cause as? Failure }

        /// `grpc.` and the name of the code: `grpc.notFound`.
        public var failureCode: String { "grpc.\(code)" }

        /// The server's message, which is for developers, or else the code.
        public var failureExplanation: String { message.isEmpty ? "\(code)" : Excerpt.cut(message, to: 1000) }

        /// Whether the same call may succeed later: after `UNAVAILABLE` (gRFC A6; AIP-194), and after
        /// `RESOURCE_EXHAUSTED` if the server says when. Never nil.
        public var isTransient: Bool? {
            switch code {
            case .unavailable: true
            case .resourceExhausted: retryDelay != nil  // a quota that is used up for the day is exhausted as well
            default: false  // ABORTED: what led to the call has to be done again as well
            }
        }

        /// What helps a developer after `UNAVAILABLE`, and after a `DEADLINE_EXCEEDED` that is the server's own.
        public var failureNextStep: String? {
            switch code {
            case .unavailable where retryDelay == nil:
                "Check whether a server can be reached, or call again later: a lost connection, an overload and a "
                    + "restart all are UNAVAILABLE."
            case .deadlineExceeded:
                "Find out why the server is slow: its own time limit, or that of a service behind it, was over first."
            default: nil
            }
        }

        /// The HTTP status that google/rpc/code.proto gives each code.
        package var meantStatus: Int? {
            switch code {
            case .cancelled: 499
            case .invalidArgument, .failedPrecondition, .outOfRange: 400
            case .unauthenticated: 401
            case .permissionDenied: 403
            case .notFound: 404
            case .alreadyExists, .aborted: 409
            case .resourceExhausted: 429
            case .unimplemented: 501
            case .unavailable: 503
            case .deadlineExceeded: 504
            default: 500  // UNKNOWN, INTERNAL, DATA_LOSS
            }
        }

        /// A connection may be lost after the server did its work, which also is `UNAVAILABLE`.
        package var leavesDoubt: Bool {
            [.cancelled, .unknown, .deadlineExceeded, .internalError, .unavailable, .dataLoss].contains(code)
                && retryDelay == nil
        }

        /// The error of a call for those who catch an `RPCError`, with the failure as its cause.
        init(_ failure: Failure) {
            let thrown = failure.error(as: RPCError.self)
            let code: Code =
                switch failure.reason {
                case .cancelled: .cancelled
                case .timeout: .deadlineExceeded
                case .rejected, .transport: .unavailable
                default: thrown?.code ?? .unknown
                }
            self.init(
                code: code, message: thrown?.message ?? failure.explanation, metadata: thrown?.metadata ?? [:],
                cause: failure)
        }

        /// The task of the call was cancelled.
        static var cancelled: RPCError {
            RPCError(code: .cancelled, message: "The call was cancelled.", cause: CancellationError())
        }
    }

    /// The cause of a server's CANCELLED or DEADLINE_EXCEEDED that neither the caller nor the deadline explains.
    struct OwnStatus: Error {}
#endif
