#if GRPC
    internal import Backstop
    internal import BackstopCore
    internal import BackstopResilience
    internal import GRPCCore

    /// A call of a ``PolicyTransport``: gRPC writes to its request and reads from its response, and each attempt has a
    /// stream of its own.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct PolicyCall<Wrapped: ClientTransport>: Sendable {
        typealias Part = RPCResponsePart<Wrapped.Bytes>

        let transport: Wrapped
        let policy: Policy
        let log: (any LogSink)?
        let descriptor: MethodDescriptor
        let options: GRPCCore.CallOptions
        let isIdempotent: Bool
        let request = ReplayedRequest<Wrapped.Bytes>()
        let response = RelayedResponse<Wrapped.Bytes>()
        /// The context of the attempt that began last, for the log; nil before the first.
        private let last = Lock<CallContext?>(nil)

        /// Makes the attempts.
        ///
        /// - Returns: Why the call failed; nil when it did not.
        func run() async -> RPCError? {
            let start = policy.options.clock.now
            var failure: BackstopCore.Failure?
            do throws(BackstopCore.Failure) {
                let status = try await policy.run(
                    descriptor.fullyQualifiedMethod, isIdempotent: isIdempotent
                ) { context in try await attempt(context) }
                response.finish(status)
            } catch {
                failure = error
                response.finish(throwing: RPCError(error))
            }
            // Nothing that is still written would be sent.
            request.finish(throwing: RPCError.cancelled)
            write(failure, since: start)
            return failure.map { RPCError($0) }
        }

        /// - Returns: The status of a call that succeeded.
        private func attempt(_ context: CallContext) async throws -> Part {
            last.withLock { $0 = context }
            if options.executionPolicy != nil {
                context.forbidRepeat(
                    .custom("gRPC repeats the call, by its executionPolicy"), "a call that gRPC repeats")
            }
            let isOpen = Lock(false)
            do {
                return try await transport.withStream(descriptor: descriptor, options: options) { stream, client in
                    isOpen.withLock { $0 = true }
                    response.open(client)
                    async let _ = send(stream.outbound, context)
                    return try await receive(stream.inbound, context)
                }
            } catch {
                if !isOpen.withLock({ $0 }) {
                    context.noteUnsent()
                }
                throw error
            }
        }

        private func send(_ outbound: Wrapped.Outbound, _ context: CallContext) async {
            for position in 0... {
                let part: RPCRequestPart<Wrapped.Bytes>?
                do {
                    part = try await request.part(position, for: context.attempt)
                } catch {
                    return await outbound.finish(throwing: error)
                }
                guard let part else {
                    return await outbound.finish()
                }
                if position == ReplayedRequest<Wrapped.Bytes>.replayed {
                    context.forbidRepeat(.notReplayable, "further messages")
                }
                do {
                    try await outbound.write(part.prepared(for: context))
                } catch {
                    // The response says why.
                    return
                }
            }
        }

        private func receive(_ inbound: Wrapped.Inbound, _ context: CallContext) async throws -> Part {
            var parts = inbound.makeAsyncIterator()
            var hasBegun = false
            while true {
                guard let part = try await parts.next() else {
                    try Task.checkCancellation()
                    throw RPCError(code: .internalError, message: "The response ended without a status.")
                }
                if case .status(let status, let trailers) = part {
                    guard let error = RPCError(status: status, metadata: trailers) else {
                        return part
                    }
                    note(error, context)
                    throw error
                }
                // An attempt that was given up delivers nothing.
                try Task.checkCancellation()
                if !hasBegun {
                    context.forbidRepeat(.begun, "the beginning of the response")
                    hasBegun = true
                }
                try await response.deliver(part, of: context.attempt)
            }
        }

        /// Records what the server answered, and what that says about another attempt.
        private func note(_ error: RPCError, _ context: CallContext) {
            // Transports say the same of a connection that is lost, and the server then has not answered.
            if error.code != .unavailable || !error.metadata.isEmpty {
                context.recordReceived(RPCAnswer(error))
            }
            switch error.pushback {
            case .stop:
                context.forbidRepeat(.custom("the server asks not to try again (grpc-retry-pushback-ms)"), "pushback")
            case .retry where error.isTransient == true:
                // The server did not take it. It changes nothing where a repeat is forbidden.
                context.noteUnsent()
            case .retry, nil:
                break
            }
        }

        private func write(_ failure: BackstopCore.Failure?, since start: Duration) {
            let level = failure.map { $0.isCancelled ? LogLevel.debug : .warning } ?? .debug
            guard let log, log.isEnabled(level) else {
                return
            }
            let context = last.withLock { $0 }
            let (id, attempts) = (failure?.id ?? context?.id ?? 0, context?.attemptCount ?? 0)
            let name = policy.options.redaction.text(Excerpt.cut(descriptor.fullyQualifiedMethod, to: 200))
            let count = attempts > 1 ? " (\(attempts) attempts)" : ""
            let took = policy.options.clock.now.subtracting(start).text
            log.write(LogEntry(level, "#\(id) \(name)\(count) -> \(failure?.code ?? "ok") in \(took)", callID: id))
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    extension RPCRequestPart where Bytes: Sendable {
        /// What an attempt sends: metadata say what is left of the deadline, and how many attempts there were.
        fileprivate func prepared(for context: CallContext) -> RPCRequestPart {
            guard case .metadata(var metadata) = self else {
                return self
            }
            if let deadline = context.deadline {
                let rest = deadline.subtracting(context.clock.now)
                metadata.replaceOrAddString(Self.text(ofTimeout: rest), forKey: "grpc-timeout")
            }
            if context.attempt > 1 {
                metadata.replaceOrAddString("\(context.attempt - 1)", forKey: "grpc-previous-rpc-attempts")
            }
            context.recordBeside(SentMetadata(metadata: metadata))
            return .metadata(metadata)
        }

        /// A duration on the wire: at most eight digits, and a unit (gRPC over HTTP/2).
        private static func text(ofTimeout duration: Duration) -> String {
            let milliseconds = max(1, duration.milliseconds.rounded(.up))
            return milliseconds < 100_000_000
                ? "\(Int(milliseconds))m" : "\(Int(min(duration.seconds, 99_999_999)))S"
        }
    }

    /// What is known of the secrets of a call, so that its texts hide them.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private struct SentMetadata: SecretCarrier {
        let metadata: Metadata
        var isSent: Bool { true }
        var bounded: any SecretCarrier { self }

        func addSecrets(to collector: inout SecretCollector) {
            for (name, value) in metadata {
                collector.header(name, value.encoded())
            }
        }
    }

    /// Stands among what was sent for what cannot be sent again.
    private struct Unrepeatable: OperationRequest {
        let text: String
        var isIdempotent: Bool { true }
        var isReplayable: Bool { false }

        func summary(_ redaction: Redaction) -> String { text }
    }

    extension CallContext {
        /// Makes sure that the call is not repeated, whatever its policy says.
        fileprivate func forbidRepeat(_ reason: StopReason, _ text: String) {
            stop(reason)
            recordHop(Unrepeatable(text: text))
        }
    }
#endif
