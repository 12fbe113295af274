#if GRPC
    import BackstopTestSupport
    import GRPCCore

    /// A transport whose streams answer as a test says, once the request has ended.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct ScriptedStreams: ClientTransport {
        typealias Bytes = [UInt8]

        enum Answer: Sendable {
            /// No stream can be opened.
            case closed(RPCError)
            /// No stream is opened, nor refused; the gate tells of it.
            case unready(Gate)
            /// A stream is opened when a gate opens, even if the call was cancelled; the other tells of its end.
            case late(opens: Gate, ended: Gate)
            /// These parts, and then the end or an error.
            case parts([RPCResponsePart<[UInt8]>], throwing: (any Error)? = nil)
            /// Nothing.
            case silence
            /// Messages without end, counted as they are read.
            case endless(Counter)

            static var success: Answer {
                .parts([.metadata([:]), .message(Array("book".utf8)), .status(Status(code: .ok, message: ""), [:])])
            }
        }

        /// The requests of the streams that were opened, each when it ended.
        let requests = Notes<[RPCRequestPart<[UInt8]>]>()
        let attempts = Counter()
        /// Opened once a request is there that gets no answer.
        let silent = Gate()
        let answer: @Sendable (_ attempt: Int) -> Answer
        private let shutdown = Gate()

        init(answer: @escaping @Sendable (_ attempt: Int) -> Answer) {
            self.answer = answer
        }

        var retryThrottle: RetryThrottle? { nil }

        func connect() async throws {
            try await shutdown.passUnlessCancelled()
        }

        func beginGracefulShutdown() {
            shutdown.open()
        }

        func config(forMethod descriptor: MethodDescriptor) -> MethodConfig? { nil }

        @concurrent
        func withStream<T: Sendable>(
            descriptor: MethodDescriptor, options: CallOptions,
            _ closure: @concurrent (_ stream: RPCStream<Inbound, Outbound>, _ context: ClientContext) async throws -> T
        ) async throws -> T {
            let answer = answer(attempts.increment())
            if case .closed(let error) = answer {
                throw error
            }
            if case .unready(let gate) = answer {
                gate.open()
                try await Gate().passUnlessCancelled()
            }
            if case .late(let opens, _) = answer {
                await opens.pass()
            }
            defer {
                if case .late(_, let ended) = answer {
                    ended.open()
                }
            }
            let (parts, source) = AsyncThrowingStream.makeStream(
                of: RPCResponsePart<[UInt8]>.self, throwing: (any Error).self)
            var inbound = RPCAsyncSequence(wrapping: parts)
            if case .endless(let counter) = answer {
                inbound = RPCAsyncSequence(wrapping: Endless(counter: counter))
            }
            let request = Request { sent in
                requests.add(sent)
                guard case .parts(let parts, let error) = answer else {
                    return silent.open()
                }
                parts.forEach { source.yield($0) }
                source.finish(throwing: error)
            }
            return try await closure(
                RPCStream(
                    descriptor: descriptor, inbound: inbound,
                    outbound: RPCWriter.Closable(wrapping: request)),
                ClientContext(descriptor: descriptor, remotePeer: "script", localPeer: "test"))
        }

        private struct Endless: AsyncSequence, AsyncIteratorProtocol, Sendable {
            let counter: Counter

            func makeAsyncIterator() -> Endless { self }

            func next() async throws -> RPCResponsePart<[UInt8]>? {
                counter.increment() == 1 ? .metadata([:]) : .message([])
            }
        }

        private struct Request: ClosableRPCWriterProtocol {
            let parts = Notes<RPCRequestPart<[UInt8]>>()
            let end: @Sendable ([RPCRequestPart<[UInt8]>]) -> Void

            init(end: @escaping @Sendable ([RPCRequestPart<[UInt8]>]) -> Void) {
                self.end = end
            }

            @concurrent func write(_ element: RPCRequestPart<[UInt8]>) async throws {
                parts.add(element)
            }

            @concurrent func write(contentsOf elements: some Sequence<RPCRequestPart<[UInt8]>>) async throws {
                elements.forEach(parts.add)
            }

            func finish() { end(parts.all) }

            func finish(throwing error: any Error) {}
        }
    }
#endif
