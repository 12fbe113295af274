public import Backstop
public import BackstopCore
internal import Foundation

extension HTTP {
    /// Takes the body of a call while it arrives, for a transport of your own.
    ///
    /// A call that is read as a stream has one (``BackstopCore/CallContext/intake``). Hand it every response, except one
    /// that redirects, and return what it returns. It reads the body, as fast as the reader of the stream takes it, or
    /// collects that of an error; a body that it does not read to the end is not wanted any more. Without these lines, a
    /// stream gets its whole body at once, when the transport returns it.
    ///
    /// ```swift
    /// struct MyTransport: HTTP.Transport {
    ///     let open: @Sendable (HTTP.Request) async throws -> (
    ///         head: HTTP.Response, next: @Sendable () async throws -> Data?, close: @Sendable () -> Void
    ///     )
    ///
    ///     func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
    ///         var (response, next, close) = try await open(request)
    ///         defer { close() }
    ///         if let intake = context.intake {
    ///             return try await intake.receive(response, HTTP.IncomingBody(next: next))
    ///         }
    ///         while let chunk = try await next() {
    ///             response.body += chunk
    ///         }
    ///         return response
    ///     }
    /// }
    /// ```
    public final class Intake: ResponseIntake {
        /// How many bytes of a response are collected that no stream is made of, such as an error's.
        private static let collected = 1 << 20
        /// How long the next part of such a body may take: its status says the most.
        private static let patience = Duration.seconds(5)

        private let sink: any BodySink
        private let silence: Silence?
        /// What the calls before this one have brought.
        private let before: TransferReport
        private let clock: any CallClock
        /// The state, guarded by the lock; the sink and what interceptors have given run outside of it.
        private let state = Lock(IntakeState())

        /// - Parameters:
        ///   - silence: How long the network may be silent while the body is waited for; nil for any time.
        ///   - clock: The clock that says so.
        ///   - before: What the calls before this one have brought.
        init(
            _ sink: any BodySink, silence: Duration?, clock: any CallClock,
            after before: TransferReport = TransferReport(legs: 0)
        ) {
            self.sink = sink
            self.before = before
            self.silence = silence.map { Silence(limit: $0, clock: clock, setting: sink.silenceSetting) }
            self.clock = clock
        }

        /// Reads the body of a response into the stream, or collects it if no stream is to be made of it.
        ///
        /// - Parameters:
        ///   - head: The response without its body.
        ///   - body: Its body, from the first byte.
        /// - Returns: The response to return: complete if it was collected, otherwise without body.
        /// - Throws: What the body throws, when it does not arrive; what the reader or an interceptor refuses it with.
        ///   Rethrow it as it is.
        nonisolated(nonsending) public func receive(
            _ head: HTTP.Response, _ body: HTTP.IncomingBody
        ) async throws -> HTTP.Response {
            try await receive(head, body, leadsOn: false, limit: Self.collected) {}
        }

        nonisolated(nonsending) package func receive(
            _ head: HTTP.Response, _ pipe: any ResponsePipe, leadsOn: Bool, limit: Int, opened: () -> Void
        ) async throws -> HTTP.Response {
            guard let pipe = pipe as? BodyPipe else {
                throw TransportError(.unknown, phase: .receiving, detail: "The pipe is not the intake's")
            }
            return try await receive(
                head, HTTP.IncomingBody(pipe), leadsOn: leadsOn, limit: min(limit, Self.collected), opened: opened)
        }

        private nonisolated(nonsending) func receive(
            _ head: HTTP.Response, _ body: HTTP.IncomingBody, leadsOn: Bool, limit: Int, opened: () -> Void
        ) async throws -> HTTP.Response {
            guard !leadsOn, claim(head, of: body) else {
                // One whose time is over is read to its end, which says so.
                return try await collect(head, body, limit: body.pipe?.isOverdue == true ? .max : limit)
            }
            opened()
            return try await take(head, body)
        }

        package func makePipe() -> any ResponsePipe {
            BodyPipe()
        }
    }
}

extension HTTP.Intake {
    package var isOpen: Bool {
        state.withLock { $0.isOpen }
    }

    package var timeInVain: Duration {
        state.withLock { $0.timeInVain }
    }

    /// How long ago the head was accepted; zero for none.
    var timeOpen: Duration {
        state.withLock { $0.opened }.map { clock.now.subtracting($0) } ?? .zero
    }

    package var sinkError: (any Error)? {
        state.withLock { $0.sinkError }
    }

    package var report: TransferReport? {
        guard isOpen else {
            return nil
        }
        var report = state.withLock { $0.report }
        report.bytes += before.bytes
        // The server chooses the length.
        report.expected = report.expected.map { $0 > .max - before.bytes ? .max : $0 + before.bytes }
        report.legs = before.legs + 1
        sink.complete(&report)
        return report
    }

    package func explain(_ error: any Error) {
        let old = state.withLock { state -> (any Error)? in
            guard case .failed(let old) = state.phase else {
                return nil
            }
            state.phase = .failed(error)
            return old
        }
        withExtendedLifetime(old) {}
    }

    package func whenOpen(_ action: @escaping @Sendable () -> Void, undo: (@Sendable () -> Void)?) -> UInt64 {
        let action = IntakeState.Action(run: action, undo: undo)
        while true {
            if let ticket = state.withLock({ $0.add(action, ifOpen: false) }) {
                return ticket
            }
            action.run()
            guard let undo else {
                return 0
            }
            if let ticket = state.withLock({ $0.add(action, ifOpen: true) }) {
                return ticket
            }
            // What was accepted has turned out to be no stream meanwhile.
            undo()
        }
    }

    package func check(_ check: @escaping @Sendable () throws -> Void) -> UInt64 {
        state.withLock { $0.add(check: check) }
    }

    package func forget(_ ticket: UInt64) {
        let old = state.withLock { $0.remove(ticket) }
        withExtendedLifetime(old) {}
    }

    package func accept(by name: String, _ rule: @escaping @Sendable (HTTP.Response) -> Bool) {
        let old = state.withLock { $0.gates.updateValue(rule, forKey: name) }
        withExtendedLifetime(old) {}
    }

    /// Checks what the interceptors check before each part.
    package func confirm() throws {
        let checks = state.withLock { $0.checks }
        for check in checks.values {
            try check()
        }
    }

    /// Accepts a head, once: what follows is the stream.
    ///
    /// - Parameters:
    ///   - body: What arrives; nil for a whole response.
    ///   - isJudged: Whether the whole chain has accepted it.
    private func claim(_ head: HTTP.Response, of body: HTTP.IncomingBody?, isJudged: Bool = false) -> Bool {
        let now = clock.now
        let (gates, isFree) = state.withLock { (Array($0.gates.values), !$0.isOpen && !$0.isClosed) }
        guard isFree, gates.isEmpty ? head.isSuccess : isJudged || gates.allSatisfy({ $0(head) }),
            // One whose time was over, and that another attempt has replaced or will.
            !Task.isCancelled, body?.pipe?.claim() != false,
            let actions = state.withLock({ $0.open(head, at: now) })
        else {
            return false
        }
        for action in actions {
            action.run()
        }
        return true
    }

    /// Hands the body over to its end, after ``claim(_:of:isJudged:)``.
    nonisolated(nonsending) private func take(
        _ head: HTTP.Response, _ body: HTTP.IncomingBody
    ) async throws -> HTTP.Response {
        var bytes: Int64 = 0
        state.withLock { $0.body = body }
        defer {
            state.withLock { $0.body = nil }
        }
        do {
            try await handOver { try await sink.begin(head) }
            while !sink.isComplete, let chunk = try await body.next(silence) {
                bytes += Int64(chunk.count)
                state.withLock { $0.report.bytes = bytes }
                try await handOver { try await sink.put(chunk) }
            }
            try await handOver { try await sink.end() }
        } catch let answer as WholeAnswer {
            // Nothing was handed over.
            let now = clock.now
            for action in state.withLock({ $0.reopen(after: answer, at: now) }) {
                action.undo?()
            }
            return answer.response
        } catch {
            state.withLock { $0.phase = .failed(error) }
            throw error
        }
        state.withLock { $0.phase = .complete }
        return head.withoutBody(ofSize: Int(clamping: bytes))
    }

    /// Collects the body of a response that is no stream's; of a long or slow one, its beginning.
    nonisolated(nonsending) private func collect(
        _ head: HTTP.Response, _ body: HTTP.IncomingBody, limit: Int
    ) async throws -> HTTP.Response {
        var response = head
        var collected = Data()
        let silence = Silence(limit: min(silence?.limit ?? Self.patience, Self.patience), clock: clock, setting: "")
        do {
            while collected.count < limit, let chunk = try await body.next(silence) {
                collected.append(chunk.prefix(limit - collected.count))
            }
        } catch let error as TimeoutError where error.kind.isOnSilence {
            // What has come of it is shown.
        }
        response.body = collected
        return response
    }

    nonisolated(nonsending) package func take(
        whole response: any Sendable, context: CallContext
    ) async throws -> (any Sendable)? {
        guard let response = response as? HTTP.Response else {
            return nil
        }
        return try await take(whole: response, isJudged: false)
    }

    private nonisolated(nonsending) func take(
        whole response: HTTP.Response, isJudged: Bool
    ) async throws -> HTTP.Response? {
        guard error(of: response) == nil, claim(response, of: nil, isJudged: isJudged) else {
            return nil
        }
        do {
            try response.requireWhole()
        } catch {
            state.withLock { $0.phase = .failed(error) }
            throw error
        }
        return try await take(response.withoutBody(ofSize: 0), HTTP.IncomingBody(response.body))
    }

    /// What a response says that has come in the place of a stream; nil for any other, such as that of another attempt.
    private func error(of response: HTTP.Response) -> (any Error)? {
        guard let answer = state.withLock({ $0.answer }), answer.response.body == response.body else {
            return nil
        }
        return answer.error
    }

    /// Ends the call: what the chain returned counts only if the body was handed over to its end.
    ///
    /// - Throws: Why it was not; for a response that is no stream, what it says, or else `StatusError`.
    nonisolated(nonsending) func settle(_ response: HTTP.Response, context: CallContext) async throws {
        let response = try await take(whole: response, isJudged: true) ?? response
        guard isOpen else {
            throw error(of: response) ?? StatusError(response.status, response: response)
        }
        switch state.withLock({ $0.phase }) {
        case .complete: break
        // A limit has ended the transport, and an interceptor has hidden that: nobody has cancelled the call.
        case .failed(let error) where !(error is CancellationError) || Task.isCancelled: throw error
        case .waiting, .open, .failed:
            throw TransportError(
                .lost, phase: .receiving,
                detail: "An interceptor reported a success before the stream had ended")
        }
    }

    /// Ends the call with an error of its reader's.
    func fail(with error: any Error) {
        let body = state.withLock { state in
            state.sinkError = state.sinkError ?? error
            return state.body
        }
        body?.stop(error)
    }

    /// Ends the handing over, and returns when nothing is handed over any more.
    nonisolated(nonsending) func close() async {
        state.withLock { $0.isClosed = true }
        sink.close()
        await suspend { continuation in
            state.withLock { state in
                state.closing = state.isHandingOver ? continuation : nil
                return !state.isHandingOver
            }
        }
    }

    /// Runs what hands something over, unless the call has ended; its errors are the sink's.
    nonisolated(nonsending) private func handOver(
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        let goesOn = state.withLock { state in
            state.isHandingOver = !state.isClosed
            return state.isHandingOver
        }
        guard goesOn else {
            throw CancellationError()
        }
        defer {
            let closing = state.withLock { state in
                state.isHandingOver = false
                defer { state.closing = nil }
                return state.closing
            }
            closing?.resume()
        }
        do {
            try confirm()
            try await body()
        } catch {
            state.withLock { $0.sinkError = error }
            throw error
        }
    }
}

extension CallContext {
    /// What takes the body while it arrives, for transports; nil for a plain call.
    public var intake: HTTP.Intake? {
        callIntake as? HTTP.Intake
    }
}

extension HTTP.Response {
    /// How many bytes the body is announced to have; nil when it is not, or it is compressed, or comes in chunks, which
    /// say themselves where it ends (RFC 9112, 6.3).
    package var announcedLength: Int64? {
        guard let text = headers[.contentLength], AnnouncedLength.problem(of: text) == nil,
            headers["Transfer-Encoding"] == nil,
            headers["Content-Encoding"].map({ $0.lowercased() == "identity" }) ?? true
        else {
            return nil
        }
        return Int64(text)
    }
}
