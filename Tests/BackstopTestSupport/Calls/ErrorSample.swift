package import BackstopCore
internal import Testing

/// An error as interceptors throw it, with what a failure has to say of it.
package struct ErrorSample: Sendable, CustomTestStringConvertible {
    package let error: any Error
    package let code: String
    package var isTransient: Bool
    package var isOffline: Bool
    package var statusCode: Int?

    package init(
        error: any Error, code: String, isTransient: Bool = false, isOffline: Bool = false, statusCode: Int? = nil
    ) {
        self.error = error
        self.code = code
        self.isTransient = isTransient
        self.isOffline = isOffline
        self.statusCode = statusCode
    }

    package var testDescription: String { code }

    /// An error for every code, but for those of statuses without a meaning of their own.
    package static let all: [ErrorSample] =
        [ErrorSample(error: CancellationError(), code: "cancelled")] + requests + transports + timeouts + statuses
        + services + [
            ErrorSample(error: decodingFailure, code: "decoding"),
            ErrorSample(
                error: RejectionError("breakerOpen", "The breaker is open.", isTransient: false),
                code: "rejected.breakerOpen"),
            ErrorSample(error: RejectionError(.limit, "Too many."), code: "rejected.limit", isTransient: true),
            ErrorSample(error: ShopError(), code: "other"),
        ]

    package static let requests = RequestError.Code.builtIn.map { code in
        ErrorSample(error: RequestError(code, "of a test"), code: "request.\(code)")
    }

    /// As the guide has them.
    package static let transports = TransportError.Code.builtIn.map { code in
        ErrorSample(
            error: TransportError(code), code: "transport.\(code)",
            isTransient: retried.contains("`transport.\(code)`"),
            isOffline: code == .offline)
    }

    /// The codes of which the guide says that they are retried.
    private static let retried: Set<String> = {
        let rows = try? Guide("Docs/Failures.md").table(
            ["code", "what happened", "retried", "texts"], under: "`transport`")
        return Set((rows ?? []).filter { $0[2] == "yes" }.map { $0[0] })
    }()

    package static let timeouts = [
        ErrorSample(error: TimeoutError(.attempt), code: "timeout.attempt", isTransient: true),
        ErrorSample(error: TimeoutError(.deadline), code: "timeout.deadline"),
    ]

    package static let statuses = [
        300, 400, 401, 403, 404, 408, 409, 410, 422, 425, 429, 500, 501, 502, 503, 504, 505, 599,
    ].map {
        ErrorSample(
            error: StatusError($0), code: "status.\($0)", isTransient: transientStatuses.contains($0), statusCode: $0)
    }

    package static let services = [
        ErrorSample(error: SoldOut(), code: "service.SoldOut"),
        ErrorSample(error: SoldOut(isTransient: true), code: "service.SoldOut", isTransient: true),
        ErrorSample(error: SoldOut(isTransient: false), code: "service.SoldOut"),
    ]

    package static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    package static var decodingFailure: DecodingFailure {
        DecodingFailure(
            ShopError(), decoding: String.self, from: Array(#"{"a":1}"#.utf8), contentType: "application/json")
    }
}
