public import Backstop

extension Policy {
    /// What a policy runs, as its interceptors see it: the request of their chain.
    ///
    /// An interceptor of your own reads its name, or runs another operation in its place:
    ///
    /// ```swift
    /// struct Replica: Policy.Interceptor {
    ///     let rows: @Sendable () async throws -> [String]
    ///
    ///     func intercept(
    ///         _ request: Policy.Operation, context: CallContext, next: Policy.Next
    ///     ) async throws -> Policy.Output {
    ///         let rows = rows
    ///         return try await next(context.attempt == 1 ? request : request.replaced { _ in try await rows() })
    ///     }
    /// }
    /// ```
    public struct Operation: CallRequest {
        /// The name that the run was given; empty when it has none.
        public let name: String
        /// Where the run said that it goes; empty when it did not say. It is a key for a ``CallGrouping`` too.
        public let destination: String
        /// Whether running it twice has the effect of running it once.
        public let isIdempotent: Bool
        /// Whether an error that Backstop does not know is transient.
        let transient: @Sendable (any Error) -> Bool
        /// Runs it once.
        let run: @Sendable (CallContext) async throws -> Output

        /// Another operation in the place of this one, with its name and destination.
        ///
        /// - Parameters:
        ///   - isIdempotent: Whether running it twice has the effect of running it once; nil for the same as this one.
        ///   - operation: Must return a value of the same type; another type fails the run.
        public func replaced<Value: Sendable>(
            isIdempotent: Bool? = nil, by operation: @escaping @Sendable (CallContext) async throws -> Value
        ) -> Operation {
            Operation(
                name: name, destination: destination, isIdempotent: isIdempotent ?? self.isIdempotent,
                transient: transient, run: { Output(try await operation($0)) })
        }

        /// Always: an operation has no body.
        public var isReplayable: Bool { true }

        /// An error of another library as what it means, such as an `NSError` with a `URLError` under it.
        public static func recognized(_ error: any Error) -> any Error {
            Failure.recognized(error)
        }

        /// As ``Policy/isTransient`` says; an output of the wrong type never is.
        public func isTransient(_ error: any Error) -> Bool {
            !(error is OutputError) && transient(error)
        }

        /// The name.
        public func summary(_ redaction: Redaction) -> String {
            name.isEmpty ? "operation" : "operation \"\(redaction.shown(name: name))\""
        }
    }
}

extension Policy.Operation: DescribedInDumps {
    /// The name, secrets redacted.
    public var description: String {
        summary(.standard)
    }
}

/// The end of a policy's chain: runs the operation.
struct OperationRunner: Transport {
    private enum Phase {
        case running, abandoned, over
    }

    /// What was cancelled and has not ended since, guarded by the lock.
    private let abandoned = Lock([ObjectIdentifier: Policy.Operation]())

    var abandonedOperations: [Policy.Operation] {
        abandoned.withLock { Array($0.values) }
    }

    func send(_ request: Policy.Operation, context: CallContext) async throws -> Policy.Output {
        // At the last moment: the chain may have taken a while since it looked.
        try Task.checkCancellation()
        let phase = Lock(Phase.running)
        let run = ObjectIdentifier(phase)
        defer {
            if phase.withLock({ exchange(&$0, with: .over) }) == .abandoned {
                _ = abandoned.withLock { $0.removeValue(forKey: run) }
            }
        }
        // A limit, a caller and a faster copy give it up by cancelling its task.
        return try await withTaskCancellationHandler {
            try await request.run(context)
        } onCancel: {
            phase.withLock { phase in
                guard phase == .running else {
                    return
                }
                phase = .abandoned
                abandoned.withLock { $0[run] = request }
            }
        }
    }
}

extension Policy.Operation: OperationRequest {}
