public import Backstop
public import BackstopLibraryStandIns

extension RPCError: @retroactive FailureReasonConvertible {
    /// What its code means.
    public var classifiedReason: Failure.Reason {
        let status =  // the HTTP status that google/rpc/code.proto gives each code
            switch code {
            case .invalidArgument, .failedPrecondition, .outOfRange: 400
            case .unauthenticated: 401
            case .permissionDenied: 403
            case .notFound: 404
            case .alreadyExists, .aborted: 409
            case .resourceExhausted: 429
            case .unimplemented: 501
            case .unavailable: 503
            default: 500
            }
        return switch code {
        case .cancelled: .cancelled
        case .deadlineExceeded: .timeout(TimeoutError(.deadline))
        default: .status(StatusError(status, detail: "\(code): \(message)"))
        }
    }
}
