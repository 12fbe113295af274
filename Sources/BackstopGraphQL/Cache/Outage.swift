internal import Backstop
internal import BackstopCore

/// Failures that say nothing about who asks and what for: the service cannot be reached, or is out of order.
enum Outage {
    /// Whether an older answer may stand in for the one that failed in this way.
    ///
    /// An answer of the service's own, such as 401, 403 or UNAUTHENTICATED, is never passed over: what was kept may be
    /// just what it refuses now.
    static func isMeant(by error: any Error, _ context: CallContext) -> Bool {
        switch Failure.Reason(classifying: error) {
        case .transport(let error):
            error.code.isTransient
        case .timeout:
            true
        case .status(let error):
            isMeant(byStatus: error.code)
        case .service(let error):
            !isRefusal(error) && isMeant(byStatus: (context.receivedResponse as? HTTP.Response)?.status ?? 200)
        case .rejected(let error):
            error.code == "breakerOpen"  // the breaker opened because of outages
        case .cancelled, .request, .decoding, .other:
            false
        }
    }

    private static func isMeant(byStatus status: Int) -> Bool {
        switch status {
        case 500: true  // it tripped
        case 502, 504: true  // what stands before it gets no answer
        case 503: true  // it says so
        case 520...530: true  // a content delivery network gets no answer
        default: false  // 501, 505 and the like are about the request
        }
    }

    private static func isRefusal(_ error: any ServiceError) -> Bool {
        let errors = (error as? GraphQLFailure)?.errors ?? []
        return errors.contains { $0.code == "UNAUTHENTICATED" || $0.code == "FORBIDDEN" }
    }
}
