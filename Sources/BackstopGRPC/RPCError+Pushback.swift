#if GRPC
    internal import BackstopCore
    internal import GRPCCore
    internal import GRPCProtobuf

    /// What a server says about trying again.
    enum Pushback: Hashable {
        /// After a time.
        case retry(after: Duration)
        /// Not at all.
        case stop
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    extension RPCError {
        /// How many bytes of a `google.rpc.Status` are read.
        static var detailsLimit: Int { 65_536 }

        /// What `grpc-retry-pushback-ms` says, in which anything but a number from 0 means not to try again (gRFC A6), or
        /// else `google.rpc.RetryInfo`; nil when the server says nothing.
        var pushback: Pushback? {
            if let text = metadata[stringValues: "grpc-retry-pushback-ms"].first(where: { _ in true }) {
                guard let milliseconds = Int64(text), milliseconds >= 0 else {
                    return .stop
                }
                return .retry(after: min(.milliseconds(milliseconds), RetryAfter.maximum))
            }
            let details = metadata[binaryValues: "grpc-status-details-bin"].first { _ in true }
            guard let details, details.count <= Self.detailsLimit, let status = try? unpackGoogleRPCStatus(),
                let delay = status.details.lazy.compactMap(\.retryInfo).first?.delay, delay >= .zero
            else {
                return nil
            }
            return .retry(after: min(delay, RetryAfter.maximum))
        }

        /// After which time the server accepts the same call; nil when it does not say.
        var retryDelay: Duration? {
            if case .retry(let delay) = pushback { delay } else { nil }
        }
    }

    /// What a server answered to a call that it did not accept.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct RPCAnswer: CallResponse {
        let error: RPCError
        var statusCode: Int? { error.meantStatus }

        func retryAfter(now: Duration) -> Duration? { error.retryDelay }

        func summary(_ redaction: Redaction) -> String { "gRPC status \(error.code)" }
    }
#endif
