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

        /// What `grpc-retry-pushback-ms` says, in which anything but digits means not to try again (gRFC A6), as it does
        /// in one of several; or else `google.rpc.RetryInfo`; nil when the server says nothing.
        var pushback: Pushback? {
            let waits = metadata[stringValues: "grpc-retry-pushback-ms"].map { text in
                text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
            }
            if let longest = waits.compactMap(\.self).max() ?? (waits.isEmpty ? nil : 0) {
                return waits.contains(nil)
                    ? .stop : .retry(after: min(.milliseconds(longest), RetryAfter.maximum))
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
    struct RPCAnswer: CallResponse, SecretCarrier {
        let error: RPCError
        /// Read once.
        private let retryDelay: Duration?

        init(error: RPCError) {
            self.error = error
            retryDelay = error.retryDelay
        }

        var isSent: Bool { false }
        var bounded: any SecretCarrier { self }
        /// None for a quota that is used up: the service is well.
        var statusCode: Int? { error.code == .resourceExhausted && retryDelay == nil ? nil : error.meantStatus }

        func addSecrets(to collector: inout SecretCollector) { collector.add(error.metadata) }

        func retryAfter(now: Duration) -> Duration? { retryDelay }

        func summary(_ redaction: Redaction) -> String { "gRPC status \(error.code)" }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    extension SecretCollector {
        /// Adds the secrets of metadata; of binary values in base64 and as they are.
        mutating func add(_ metadata: Metadata) {
            for (name, value) in metadata {
                header(name, value.encoded())
                if case .binary(let bytes) = value {
                    header(name, String(decoding: bytes, as: UTF8.self))
                }
            }
        }
    }
#endif
