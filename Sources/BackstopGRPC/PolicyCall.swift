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

        let transport: PolicyTransport<Wrapped>
        let descriptor: MethodDescriptor
        let options: GRPCCore.CallOptions
        let request = ReplayedRequest<Wrapped.Bytes>()
        let response = RelayedResponse<Wrapped.Bytes>()
        /// How many runs there were, which have numbers from 1, as an interceptor may repeat one within an attempt, and
        /// the context of the last, for the log.
        private let runs = Lock<(count: Int, last: CallContext?)>((0, nil))

        /// Makes the attempts.
        ///
        /// - Returns: Why the call failed; nil when it did not.
        func run() async -> RPCError? {
            var policy = transport.policy
            if let timeout = options.timeout {
                policy.options.deadline = min(policy.options.deadline ?? timeout, timeout)
            }
            let start = policy.options.clock.now
            var failure: BackstopCore.Failure?
            // The record of the call keeps its operation, and `runs` that record: emptied, so that nothing keeps itself.
            let call = Lock<Self?>(self)
            do throws(BackstopCore.Failure) {
                let status = try await policy.run(
                    descriptor.fullyQualifiedMethod, isIdempotent: transport.isIdempotent(descriptor)
                ) { context in
                    guard let call = call.withLock({ $0 }) else {
                        throw CancellationError()
                    }
                    return try await call.attempt(context)
                }
                response.finish(with: .success(status))
            } catch {
                failure = error
                response.finish(with: .failure(RPCError(error)))
            }
            call.withLock { $0 = nil }
            // Nothing that is still written would be sent.
            request.finish(throwing: CancellationError())
            write(failure, since: start)
            return failure.map { RPCError($0) }
        }

        /// - Returns: The status of a call that succeeded.
        private func attempt(_ context: CallContext) async throws -> Part {
            if options.executionPolicy != nil {
                context.forbidRepeat(.custom("gRPC repeats the call, by its executionPolicy"))
            }
            let run = runs.withLock { runs in
                runs = (runs.count + 1, context)
                return runs.count
            }
            let progress = Lock((phase: TransportError.Phase.connecting, isOver: false))
            context.track { TransferProgress(progress.withLock { $0.phase }) }
            // Also at the moment of the cancellation, which nobody waits for: nothing leaves afterwards.
            @Sendable func endBeforeSending() {
                let isUnsent = progress.withLock { progress in
                    progress.isOver = true
                    return progress.phase == .connecting
                }
                if isUnsent {
                    context.noteUnsent()
                }
            }
            do {
                let status = try await withTaskCancellationHandler {
                    try await transport.wrapped.withStream(descriptor: descriptor, options: options) { stream, client in
                        try progress.withLock { progress in
                            guard !progress.isOver else {
                                throw CancellationError()
                            }
                            progress.phase = .waiting
                        }
                        response.open(client)
                        async let _ = send(stream.outbound, run, context)
                        return try await receive(stream.inbound, run, progress, context)
                    }
                } onCancel: {
                    endBeforeSending()
                }
                request.succeed(run, with: status)
                return status
            } catch {
                endBeforeSending()
                return try await request.outcome(of: run, throwing: error)
            }
        }

        private func send(_ outbound: Wrapped.Outbound, _ run: Int, _ context: CallContext) async {
            do {
                for position in 0... {
                    guard let part = try await request.part(position, for: run) else {
                        return await outbound.finish()
                    }
                    if position == ReplayedRequest<Wrapped.Bytes>.replayed {
                        context.forbidRepeat(.notReplayable)
                    }
                    guard (try? await outbound.write(part.prepared(for: context))) != nil else {
                        return  // The response says why.
                    }
                }
            } catch {
                if !(error is CancellationError) {
                    context.forbidRepeat(.custom("a message of the request could not be written"))
                }
                await outbound.finish(throwing: error)
            }
        }

        private func receive(
            _ inbound: Wrapped.Inbound, _ run: Int, _ progress: Lock<(phase: TransportError.Phase, isOver: Bool)>,
            _ context: CallContext
        ) async throws -> Part {
            var parts = inbound.makeAsyncIterator()
            var hasBegun = false
            while true {
                guard let part = try await parts.next() else {
                    try Task.checkCancellation()
                    throw RPCError(code: .internalError, message: "The response ended without a status.")
                }
                if case .status(let status, let trailers) = part {
                    guard var error = RPCError(status: status, metadata: trailers) else {
                        try begin(run)
                        return part
                    }
                    note(error, hasBegun: hasBegun, context)
                    let isInTime = context.deadline.map { $0 > context.clock.now } ?? true
                    if !Task.isCancelled, error.code == .cancelled || error.code == .deadlineExceeded && isInTime {
                        error.cause = OwnStatus()
                    }
                    throw error
                }
                // An attempt that was given up delivers nothing.
                try Task.checkCancellation()
                if !hasBegun {
                    try begin(run)
                    context.forbidRepeat(.begun)
                    progress.withLock { $0.phase = .receiving }
                    hasBegun = true
                }
                try await response.deliver(part)
            }
        }

        /// - Throws: `CancellationError` if the call goes on with another run.
        private func begin(_ run: Int) throws {
            guard request.isTaken(by: run) else {
                throw CancellationError()
            }
        }

        /// Records what the server answered, and what that says about another attempt.
        private func note(_ error: RPCError, hasBegun: Bool, _ context: CallContext) {
            switch error.pushback {
            case .stop:
                context.forbidRepeat(.custom("the server asks not to try again (grpc-retry-pushback-ms)"))
            case .retry where error.isTransient == true && !hasBegun:
                // The server did not take it. It allows no repeat that is forbidden.
                let operation = context.sentRequests.first
                context.noteUnsent()
                context.recordHop(Sent(operation: operation, isReplayable: true))
            case .retry, nil:
                break
            }
            // Transports say the same of a connection that is lost, and the server then has not answered.
            if error.code != .unavailable || !error.metadata.isEmpty {
                context.recordReceived(RPCAnswer(error: error))
            }
        }

        private func write(_ failure: BackstopCore.Failure?, since start: Duration) {
            let level = failure.map { $0.isCancelled ? LogLevel.debug : .warning } ?? .debug
            guard let log = transport.log, log.isEnabled(level) else {
                return
            }
            let context = runs.withLock { $0.last }
            let id = failure?.id ?? context?.id ?? 0
            let name = transport.policy.options.redaction.shown(name: descriptor.fullyQualifiedMethod)
            let attempts = (context?.attemptCount).flatMap { $0 > 1 ? " (\($0) attempts)" : nil } ?? ""
            let took = transport.policy.options.clock.now.subtracting(start).text
            log.write(LogEntry(level, "#\(id) \(name)\(attempts) -> \(failure?.code ?? "ok") in \(took)", callID: id))
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
                // gRPC may know of less: its own attempts have what is left of theirs.
                let known = metadata[stringValues: "grpc-timeout"].first { _ in true }.flatMap(Self.timeout)
                if known.map({ rest < $0 }) ?? true {
                    metadata.replaceOrAddString(Self.text(ofTimeout: rest), forKey: "grpc-timeout")
                }
            }
            if context.attempt > 1 {
                metadata.replaceOrAddString("\(context.attempt - 1)", forKey: "grpc-previous-rpc-attempts")
            }
            context.recordBeside(SentMetadata(metadata: metadata))
            return .metadata(metadata)
        }

        /// What a text on the wire means; nil if it is none.
        private static func timeout(_ text: String) -> Duration? {
            guard text.utf8.count <= 9, let amount = Int64(text.dropLast()), amount >= 0 else {
                return nil
            }
            return switch text.last {
            case "H": .seconds(amount * 3600)
            case "M": .seconds(amount * 60)
            case "S": .seconds(amount)
            case "m": .milliseconds(amount)
            case "u": .microseconds(amount)
            case "n": .nanoseconds(amount)
            default: nil
            }
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
            collector.add(metadata)
        }
    }

    /// Stands among what was sent for what says whether the call may be repeated.
    private struct Sent: OperationRequest {
        /// What it stands for; nil for nothing that is shown.
        let operation: (any CallRequest)?
        let isReplayable: Bool
        var isIdempotent: Bool { true }

        func summary(_ redaction: Redaction) -> String { operation?.summary(redaction) ?? "" }
    }

    extension CallContext {
        /// Makes sure that the call is not repeated, whatever its policy says.
        fileprivate func forbidRepeat(_ reason: StopReason) {
            stop(reason)
            recordHop(Sent(operation: nil, isReplayable: false))
        }
    }
#endif
