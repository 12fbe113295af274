import BackstopCore
import BackstopTestSupport
import Testing

/// An error as interceptors throw it, with what a failure has to say of it.
struct FailureSample: Sendable, CustomTestStringConvertible {
    let error: any Error
    let code: String
    var isTransient = false
    var isOffline = false
    var statusCode: Int?

    var testDescription: String { code }

    /// An error for every code, but for those of statuses without a meaning of their own.
    static let all: [FailureSample] =
        [FailureSample(error: CancellationError(), code: "cancelled")] + requests + transports + timeouts + statuses
        + services + [
            FailureSample(error: decodingFailure, code: "decoding"),
            FailureSample(
                error: RejectionError("breakerOpen", "The breaker is open.", isTransient: false),
                code: "rejected.breakerOpen"),
            FailureSample(error: RejectionError(.limit, "Too many."), code: "rejected.limit", isTransient: true),
            FailureSample(error: ShopError(), code: "other"),
        ]

    static let requests = RequestError.Code.builtIn.map { code in
        FailureSample(error: RequestError(code, "of a test"), code: "request.\(code)")
    }

    /// As the guide has them.
    static let transports = TransportError.Code.builtIn.map { code in
        FailureSample(
            error: TransportError(code), code: "transport.\(code)",
            isTransient: retried.contains("`transport.\(code)`"),
            isOffline: code == .offline)
    }

    /// The codes of which the guide says that they are retried.
    private static let retried: Set<String> = {
        let rows = try? Guide("Docs/Failures.md").table(
            ["code", "what happened", "what to do", "retried", "texts"], under: "`transport`")
        return Set((rows ?? []).filter { $0[3] == "yes" }.map { $0[0] })
    }()

    static let timeouts = [
        FailureSample(error: TimeoutError(.attempt), code: "timeout.attempt", isTransient: true),
        FailureSample(error: TimeoutError(.deadline), code: "timeout.deadline"),
    ]

    static let statuses = [300, 400, 401, 403, 404, 408, 409, 410, 422, 425, 429, 500, 501, 502, 503, 504, 505, 599].map
    {
        FailureSample(
            error: StatusError($0), code: "status.\($0)", isTransient: transientStatuses.contains($0), statusCode: $0)
    }

    static let services = [
        FailureSample(error: SoldOut(), code: "service.SoldOut"),
        FailureSample(error: SoldOut(isTransient: true), code: "service.SoldOut", isTransient: true),
        FailureSample(error: SoldOut(isTransient: false), code: "service.SoldOut"),
    ]

    static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    static var decodingFailure: DecodingFailure {
        DecodingFailure(
            ShopError(), decoding: String.self, from: Array(#"{"a":1}"#.utf8), contentType: "application/json")
    }
}
