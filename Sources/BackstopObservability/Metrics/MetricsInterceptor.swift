#if Observability
    internal import Backstop
    internal import BackstopCore
    internal import Metrics

    /// Measures a call, or each attempt.
    struct MetricsInterceptor: HTTP.Interceptor {
        /// What is measured.
        enum Subject {
            case call, attempt
        }

        let subject: Subject
        let metrics: ClientMetrics

        var role: Role {
            subject == .call ? .metrics : .attemptMetrics
        }

        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            guard let store = metrics.store else {
                return try await next(request)
            }
            switch subject {
            case .call: return try await measureCall(request, context, next, store)
            case .attempt: return try await measureAttempt(request, context, next, store)
            }
        }

        private func measureCall(
            _ request: HTTP.Request, _ context: CallContext, _ next: HTTP.Next, _ store: MetricsStore
        ) async throws -> HTTP.Response {
            let server = store.servers.server(of: request.url)
            // The same object for both, or a backend that is bootstrapped meanwhile would count below zero.
            let active = store.activeCalls.of(server)
            active.increment()
            defer { active.decrement() }
            let start = context.clock.now
            do {
                let response = try await next(request)
                callEnded(context, server, code: "", since: start, store)
                return response
            } catch {
                let code = context.redaction.shown(code: Failure.Reason(ofCall: error).code)
                callEnded(context, server, code: code, since: start, store)
                throw error
            }
        }

        private func callEnded(
            _ context: CallContext, _ server: ServerLabels, code: String, since start: Duration, _ store: MetricsStore
        ) {
            let name = Label.callName(context.name, context.redaction)
            store.callDuration.of(server, [name, code]).recordNanoseconds((context.clock.now - start).nanoseconds)
            let count = context.attemptCount
            // None for a response that the cache had.
            store.callAttempts.of(server, [name]).record(count == 1 && context.sentRequests.isEmpty ? 0 : count)
            guard count > 1 else {
                return
            }
            let attempts = context.attempts
            for (failed, next) in zip(attempts, attempts.dropFirst()) {
                let reason = context.redaction.label(next.waitReason ?? "")
                let code = context.redaction.shown(code: Label.code(failed.result))
                store.retries.of(server, [reason, code]).increment()
            }
        }

        private func measureAttempt(
            _ request: HTTP.Request, _ context: CallContext, _ next: HTTP.Next, _ store: MetricsStore
        ) async throws -> HTTP.Response {
            let start = context.clock.now
            do {
                let response = try await next(request)
                attemptEnded(context, status: response.status, reason: nil, since: start, store)
                return response
            } catch {
                let reason = context.reason(ofAttempt: error)
                let response = context.response(to: error, reason)
                attemptEnded(context, status: response?.statusCode, reason: reason, since: start, store)
                throw error
            }
        }

        /// Measures what was sent: an attempt that sent nothing says nothing about a server. Its first request decides,
        /// because a server chooses where it redirects to.
        private func attemptEnded(
            _ context: CallContext, status: Int?, reason: Failure.Reason?, since start: Duration,
            _ store: MetricsStore
        ) {
            guard let sent = context.sentRequests.first as? HTTP.Request else {
                return
            }
            store.requestDuration.of(
                store.servers.server(of: sent.url),
                [
                    Label.method(sent.method), status.map { "\($0)" } ?? "",
                    context.redaction.shown(code: reason?.errorType(status: status) ?? ""),
                    context.redaction.shown(code: reason?.code ?? ""),
                ]
            ).recordNanoseconds((context.clock.now - start).nanoseconds)
        }

    }
#endif
