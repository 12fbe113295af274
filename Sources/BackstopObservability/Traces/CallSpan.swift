#if Observability
    internal import Backstop
    internal import BackstopCore
    internal import Tracing

    /// The span of a whole call.
    struct CallSpan {
        let span: any Span
        /// The moment at which the call's own time was zero, in nanoseconds since 1970.
        private let zero: Double

        init(_ span: any Span, _ request: HTTP.Request, _ context: CallContext) {
            self.span = span
            zero = Double(DefaultTracerClock.now.nanosecondsSinceEpoch) - context.elapsed.seconds * 1e9
            guard span.isRecording else {
                return
            }
            span.updateAttributes { attributes in
                attributes[FieldName.callID] = "\(context.id)"
                if !context.name.isEmpty {
                    attributes[FieldName.callName] = context.redaction.label(context.name)
                }
                attributes.describe(request, context)
            }
        }

        /// Ends it with events for the waits, and for the reason why retry stopped.
        func end(_ context: CallContext, status: Int?, reason: Failure.Reason?) {
            if span.isRecording {
                let attempts = context.attempts
                for attempt in attempts.dropFirst() {
                    addWait(before: attempt, context)
                }
                if reason != nil, let stop = context.stopReason {
                    span.addEvent(
                        SpanEvent(
                            name: EventName.stopped, attributes: [FieldName.stopReason: .string(stop.code)]))
                }
                span.updateAttributes { $0[FieldName.callAttempts] = attempts.count }
            }
            span.end(status: status, reason: reason, context.redaction)
        }

        private func addWait(before attempt: Attempt, _ context: CallContext) {
            let start = zero + (attempt.start - attempt.wait).seconds * 1e9
            let moment = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: UInt64(min(max(0, start), 1.8e19)))
            span.addEvent(
                SpanEvent(
                    name: EventName.wait, at: moment,
                    attributes: [
                        AttributeName.retryReason: .string(context.redaction.label(attempt.waitReason ?? "")),
                        AttributeName.waitDuration: .double(attempt.wait.seconds),
                        FieldName.attempt: .int64(Int64(attempt.number)),
                    ]))
        }
    }
#endif
