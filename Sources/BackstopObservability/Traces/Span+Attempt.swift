#if Observability
    internal import Backstop
    internal import BackstopCore
    internal import Foundation
    internal import Tracing

    extension SpanAttributes {
        /// Adds what OpenTelemetry's semantic conventions want to know of a request.
        mutating func describe(_ request: HTTP.Request, _ context: CallContext) {
            let method = Label.method(request.method)
            self[FieldName.method] = method
            if method == Label.other {
                self[AttributeName.originalMethod] = context.redaction.label(request.method.name)
            }
            self[FieldName.url] = request.shownURL(context.redaction.forOthers)
            if let host = request.url.host {
                self[AttributeName.address] = context.redaction.label(host.lowercased())
                self[AttributeName.port] = request.url.effectivePort
            }
        }
    }

    extension Span {
        /// Begins the span of an attempt.
        func begin(_ request: HTTP.Request, _ context: CallContext) {
            guard isRecording else {
                return
            }
            updateAttributes { attributes in
                attributes.describe(request, context)
                attributes[FieldName.attempt] = context.attempt
                if context.attempt > 1 {
                    attributes[AttributeName.resendCount] = context.attempt - 1
                }
            }
        }

        /// Says that the request keeps headers of its own, so that the server does not learn of this span.
        func keep(_ names: [String], _ context: CallContext) {
            let names = context.redaction.label(names.joined(separator: ", "))
            context.note("tracing", "the request keeps its own \(names)")
            if isRecording {
                addEvent(SpanEvent(name: EventName.kept, attributes: [AttributeName.headers: .string(names)]))
            }
        }

        /// Ends the span of an attempt.
        func end(_ context: CallContext, response: (any CallResponse)?, reason: Failure.Reason?) {
            if isRecording {
                if let version = (response as? HTTP.Response)?.httpVersion {
                    updateAttributes { $0[AttributeName.protocolVersion] = version }
                }
                let sent = context.sentRequests
                if sent.count > 1 {
                    updateAttributes { attributes in
                        attributes[AttributeName.requests] = sent.count
                        if let last = sent.last as? HTTP.Request, last.url != (sent.first as? HTTP.Request)?.url {
                            attributes[AttributeName.lastURL] = last.shownURL(context.redaction.forOthers)
                        }
                    }
                }
            }
            end(status: response?.statusCode, reason: reason, context.redaction)
        }

        /// Sets the result and ends the span. The error itself is not recorded: a backend would print it, secrets
        /// included.
        func end(status: Int?, reason: Failure.Reason?, _ redaction: Redaction) {
            if isRecording {
                updateAttributes { attributes in
                    if let status {
                        attributes[FieldName.status] = status
                    }
                    if let reason {
                        attributes[FieldName.errorType] = redaction.shown(code: reason.errorType(status: status))
                        attributes[FieldName.failureCode] = redaction.shown(code: reason.code)
                    }
                }
                // A cancelled call is what somebody wanted.
                if let reason, reason.kind != "cancelled" {
                    setStatus(SpanStatus(code: .error))
                }
            }
            end()
        }
    }
#endif
