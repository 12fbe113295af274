public import BackstopCore

/// Records which interceptor of a chain saw what, in order.
///
/// ```swift
/// let transport = ScriptedTransport(.failure(TransportError(.lost)), .status(200))
/// let recorder = ChainRecorder()
/// let chain = try recorder.recording(HTTP.Chain(transport: transport) { Retry(.standard) })
/// var options = CallOptions()
/// options.clock = RecordingClock()
/// _ = try await chain.call(HTTP.Request(.get, "https://api.example.com/a"), options: options)
/// // recorder.lines:
/// // retry > GET /a
/// // transport > GET /a
/// // transport ! transport.lost
/// // transport > GET /a
/// // transport < 200
/// // retry < 200
/// ```
/// One recorder may record several chains and calls; ``ChainEvent/callID`` identifies the calls.
public final class ChainRecorder: Sendable {
    /// The events so far, guarded by the lock.
    private let kept = Lock<[ChainEvent]>([])

    /// Makes an empty recorder.
    public init() {}

    /// Returns the chain with its interceptors and its transport wrapped, to record what they see.
    ///
    /// Roles and order rules are unchanged.
    public func recording<Request, Response>(_ chain: Chain<Request, Response>) -> Chain<Request, Response> {
        Chain(
            chain.interceptors.map { recording($0) }, transport: recording(chain.transport),
            orderRules: chain.orderRules, invalid: chain.invalid)
    }

    /// Returns the interceptor, wrapped; its role and order rules are unchanged.
    public func recording<Request: Sendable, Response: Sendable>(
        _ interceptor: any Interceptor<Request, Response>
    ) -> any Interceptor<Request, Response> {
        RecordingInterceptor(interceptor: interceptor, recorder: self)
    }

    /// Returns the transport, wrapped.
    public func recording<Request: Sendable, Response: Sendable>(
        _ transport: any Transport<Request, Response>
    ) -> any Transport<Request, Response> {
        RecordingTransport(transport: transport, recorder: self)
    }

    /// Returns an interceptor that only records what passes between its neighbours.
    ///
    /// ```swift
    /// let recorder = ChainRecorder()
    /// let chain = try HTTP.Chain(transport: ScriptedTransport(.status(200))) {
    ///     Retry(.standard)
    ///     recorder.probe("inside retry")
    /// }
    /// ```
    public func probe<Request: Sendable, Response: Sendable>(_ name: String) -> any Interceptor<Request, Response> {
        ChainProbe<Request, Response>(name: name, recorder: self)
    }

    /// Runs one step of a chain and records what goes in and what comes out.
    func record<Request: Sendable, Response: Sendable>(
        _ request: Request, role: Role?, name: String, context: CallContext, step: () async throws -> Response
    ) async throws -> Response {
        func add(_ direction: ChainEvent.Direction, _ text: String) {
            let event = ChainEvent(
                role: role, name: name, direction: direction, attempt: context.attempt, callID: context.id, text: text)
            kept.withLock { $0.append(event) }
        }
        add(.request, Summary.text(ofRequest: request))
        do {
            let response = try await step()
            add(.response, Summary.text(ofResponse: response))
            return response
        } catch {
            add(.error, Summary.text(of: error, isCancelled: Task.isCancelled))
            throw error
        }
    }
}

extension ChainRecorder {
    /// The events, in order.
    public var events: [ChainEvent] {
        kept.withLock { $0 }
    }

    /// The events as lines, to compare them all at once: `retry > GET /books`.
    public var lines: [String] {
        events.map(\.description)
    }

    /// The roles of the interceptors that a request reached, each once, in the order of their first request.
    public var order: [Role] {
        var seen: Set<Role> = []
        return events.compactMap { event in
            guard event.direction == .request, let role = event.role, seen.insert(role).inserted else {
                return nil
            }
            return role
        }
    }

    /// How many requests the interceptors of a role have seen; inside retry, that is the number of attempts.
    public func requests(seenBy role: Role) -> Int {
        events.filter { $0.role == role && $0.direction == .request }.count
    }

    /// Removes all events.
    public func removeAll() {
        kept.withLock { $0 = [] }
    }
}
