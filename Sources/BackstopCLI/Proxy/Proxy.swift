#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import BackstopTransfers
    internal import Foundation

    /// Passes calls to one service and back as they come, and breaks those that it is told to.
    struct Proxy: Sendable {
        let faults: ProxyFaults
        let log = ProxyLog()
        let fields: ProxyFields
        /// Makes the calls: nothing is repeated, followed, kept or judged.
        private let client: Client

        /// How long the app has to give up on a call that is never answered.
        private static let patience = Duration.seconds(600)

        /// - Parameters:
        ///   - base: The base URL of the service.
        ///   - transport: One that follows no redirect, and leaves bodies compressed as they come.
        init(to base: String, faults: ProxyFaults, transport: any HTTP.Transport) throws {
            let parsed = try RequestURL.base(base).url()
            guard parsed.user == nil, parsed.password == nil, parsed.query == nil else {
                throw RequestError(
                    .invalidURL, "The base URL has a user, a password or a query: these are for the app's requests")
            }
            let text = parsed.absoluteString
            let url = text.hasSuffix("/") ? try RequestURL.base(String(text.dropLast())).url() : parsed
            client = try Client(baseURL: url, transport: transport) {
                // Each status is an answer.
                StatusValidation { _ in true }
            }
            fields = ProxyFields(base: url)
            self.faults = faults
        }

        /// The routes of the page, and of everything else.
        var mounts: [FaultServer.Mount] {
            ProxyPage(proxy: self).mounts + [FaultServer.Mount("*") { try await answer($0, with: $1) }]
        }

        private func answer(_ call: FaultServer.Mount.Call, with writer: ResponseWriter) async throws -> Ending {
            let received = call.request
            let host = received.values(of: "Host").first ?? ""
            let answer = Answer(writer: writer, origin: received.values(of: "Origin").first)
            let request: HTTP.Request
            do throws(WebRefusal) {
                request = try await forwarded(received, call.coming)
            } catch {
                var exchange = ProxyExchange(
                    received.method.debugText, RequestURL.shown(received.target))
                exchange.end(error.status, "refused")
                log.add(exchange)
                return try await answer.problem(error.status, error.reason.asciiText)
            }
            let exchange = ProxyExchange(request.method.name, request.shownURL(.standard))
            // The browser's own question: the call that it asks for is meant.
            let isPreflight =
                request.method == .options && !received.values(of: "Access-Control-Request-Method").isEmpty
            let fault = isPreflight ? nil : faults.take(request.method.name, received.path)
            if let fault, let ending = try await replace(exchange, fault, answer) {
                return ending
            }
            return try await pass(request, exchange, fault, answer, host: host)
        }

        /// Answers in the place of the service, or not at all.
        ///
        /// - Returns: Nil for a fault of a call that is passed on.
        private func replace(
            _ exchange: ProxyExchange, _ fault: ProxyFault, _ answer: Answer
        ) async throws -> Ending? {
            var exchange = exchange
            func end(_ status: Int?) {
                exchange.end(status, "injected: \(fault.name)")
                log.add(exchange)
            }
            switch fault.kind {
            case .status(let status):
                end(status)
                let retry = fault.retryAfter.map { [(name: "Retry-After", value: "\($0)")] } ?? []
                return try await answer.problem(
                    status, "backstop proxy was told to answer so.", injected: fault.name, headers: retry)
            case .word(.html):
                end(200)
                let page = "<!doctype html><title>Sign in</title><h1>Sign in to the network</h1>"
                return try await answer.send(200, "text/html; charset=utf-8", page, injected: fault.name)
            case .word(.timeout):
                end(nil)
                try await Task.sleep(for: Self.patience)
                return .reset
            case .word(.offline):
                end(nil)
                return .reset
            case .word(.slow):
                do {
                    try await Task.sleep(for: .seconds(fault.seconds))
                } catch {
                    // The app has left.
                    end(nil)
                    throw error
                }
                return nil
            case .word(.drop), .word(.cut):
                return nil
            }
        }

        /// Passes a call on, and its answer back while it arrives.
        private func pass(
            _ request: HTTP.Request, _ exchange: ProxyExchange, _ fault: ProxyFault?, _ answer: Answer, host: String
        ) async throws -> Ending {
            var exchange = exchange
            defer {
                log.add(exchange)
            }
            let stream: HTTP.Stream<Data>
            do throws(Failure) {
                stream = try await client.stream(RawCall(request: request), as: .chunks, options: .standard.patient)
            } catch {
                guard !Task.isCancelled else {
                    exchange.end(nil, "cancelled")
                    throw error
                }
                let status =
                    switch error.reason {
                    case .timeout: 504
                    // The body of the app's.
                    case .request: 400
                    default: 502
                    }
                exchange.end(status, "failed: \(error.code)")
                return try await answer.problem(status, error.explanation, code: error.code)
            }
            let response = stream.response
            guard response.status >= 200 else {
                exchange.end(502, "failed: status \(response.status)")
                return try await answer.problem(
                    502, "The service changed to a protocol that nobody asked for.", code: "status.\(response.status)")
            }
            let length = response.headers[.contentLength].flatMap { Int($0) }
            let hasBody = request.method != .head && ![204, 304].contains(response.status) && length != 0
            let isCut = fault?.kind == .word(.cut)
            let isLost = fault?.kind == .word(.drop) || isCut && !hasBody
            exchange.end(isLost ? nil : response.status, fault.map { "injected: \($0.name)" } ?? "passed")
            guard !isLost else {
                return .reset
            }
            let framing: ResponseWriter.Framing =
                response.status == 204 ? .none : length.map { .length($0) } ?? (hasBody ? .chunked : .none)
            let marks = fault.map { answer.marks($0.name) } ?? []
            try await answer.writer.sendHead(
                status: response.status,
                headers: fields.answer(response.headers, to: response.url ?? fields.base, host: host) + marks,
                framing: framing)
            // The end of the connection would be the end of a body without a length.
            let broken = length == nil && answer.writer.isHTTP10 ? Ending.reset : .close
            let (whole, limit) = (hasBody ? length : 0, isCut ? length.map { $0 / 2 } : nil)
            var sent = 0
            do {
                for try await chunk in stream {
                    let part = limit.map { chunk.prefix($0 - sent) } ?? chunk
                    try await (length == nil ? answer.writer.sendChunk(part) : answer.writer.sendBody(part))
                    sent += part.count
                    if isCut, sent >= limit ?? 0 {
                        return broken
                    }
                }
                if sent != whole { try Task.checkCancellation() }
            } catch {
                // The app may leave when it has all.
                guard sent != whole else { return .close }
                guard !Task.isCancelled, let failure = error as? Failure else {
                    // The app has left.
                    exchange.result = "cancelled"
                    throw error
                }
                exchange.result = "failed: \(failure.code)"
                return broken
            }
            // There was nothing to cut.
            guard !isCut else { return .reset }
            if length == nil, hasBody {
                try await answer.writer.endChunks()
            }
            return .next
        }

        /// The request for the service.
        private func forwarded(
            _ received: RecordedRequest, _ coming: RequestBody?
        ) async throws(WebRefusal) -> HTTP.Request {
            let hosts = received.values(of: "Host")
            guard received.target.hasPrefix("/"), received.method != "CONNECT" else {
                throw .badRequest("This proxy stands for one service: make its address the base URL, not a proxy's")
            }
            guard hosts.count == 1, WebOrigin.isAddress(hosts[0].lowercased()) else {
                throw WebRefusal(
                    status: 421,
                    reason: "This proxy answers to addresses and localhost only: a name could be a stranger's")
            }
            guard received.values(of: "Content-Length").count < 2 else {
                throw .badRequest("The request has two lengths")
            }
            guard !fields.isOwn(received.headers) else {
                throw WebRefusal(status: 508, reason: "This proxy has called itself: its base URL leads back to it")
            }
            guard !received.values(of: "Upgrade").contains(where: { $0.lowercased().contains("websocket") }) else {
                throw WebRefusal(
                    status: 501, reason: "WebSockets do not go through this proxy: connect to the service itself")
            }
            do throws(RequestError) {
                var body: HTTP.Body = received.body.isEmpty ? .none : .data(received.body)
                let method = try HTTP.Method(received.method)
                if let coming, await !isEmpty(coming, method) {
                    let chunks = AsyncThrowingStream { try await coming.next() }
                    body = .stream(once: chunks, length: coming.length.map(Int64.init))
                }
                if !body.isNone {
                    try OutgoingRequest.checkContent(of: method)
                }
                let request = try HTTP.Request(
                    method, received.target, headers: fields.request(received.headers), body: body)
                guard request.url.relativeString == Self.encoded(received.target) else {
                    throw RequestError(
                        .invalidURL,
                        "The target would reach the service as another: percent-encode what RFC 3986 does not allow, "
                            + "and leave out dot segments and the fragment")
                }
                return request
            } catch {
                throw .badRequest(error.detail)
            }
        }

        /// The target with what browsers leave as it is in a query encoded, which means the same there.
        private static func encoded(_ target: String) -> String {
            let bare: [Character: String] = [
                "[": "%5B", "]": "%5D", "|": "%7C", "^": "%5E", "`": "%60", "{": "%7B", "}": "%7D",
                "\\": "%5C",
            ]
            let path = target.prefix { $0 != "?" }
            return path + target[path.endIndex...].map { bare[$0] ?? String($0) }.joined()
        }

        /// Whether a body in chunks has none, with a method that takes none: some libraries announce one all the same.
        private func isEmpty(_ body: RequestBody, _ method: HTTP.Method) async -> Bool {
            guard body.length == nil, (try? OutgoingRequest.checkContent(of: method)) == nil else {
                return false
            }
            return (try? await body.next() == nil) == true
        }
    }

    /// What the proxy itself answers.
    private struct Answer: Sendable {
        let writer: ResponseWriter
        /// The origin of the page that asks, whose browser would otherwise show it no such answer; nil for none.
        let origin: String?

        /// What tells of a fault, also a page of another origin.
        func marks(_ name: String) -> [(name: String, value: String)] {
            [(name: "Backstop-Injected", value: name)]
                + (origin == nil
                    ? [] : [(name: "Access-Control-Expose-Headers", value: "Backstop-Injected, Retry-After")])
        }

        /// Problem details (RFC 9457).
        ///
        /// - Parameters:
        ///   - code: The code of the failure; nil for none.
        ///   - injected: The fault; nil if this is none.
        func problem(
            _ status: Int, _ detail: String, code: String? = nil, injected: String? = nil,
            headers: [(name: String, value: String)] = []
        ) async throws -> Ending {
            let json = JSONWriter.object(
                [
                    ("title", JSONWriter.quoted(StatusError.reasonPhrase(of: status) ?? "Status \(status)")),
                    ("status", "\(status)"), ("detail", JSONWriter.quoted(detail)),
                    ("injected", injected == nil ? "false" : "true"),
                ] + (code.map { [("code", JSONWriter.quoted($0))] } ?? []))
            return try await send(status, "application/problem+json", json, injected: injected, headers: headers)
        }

        func send(
            _ status: Int, _ type: String, _ text: String, injected: String? = nil,
            headers: [(name: String, value: String)] = []
        ) async throws -> Ending {
            let own = [(name: "Content-Type", value: type), (name: "Cache-Control", value: "no-store")]
            var marks = injected.map { self.marks($0) } ?? []
            if let origin {
                marks += [
                    (name: "Access-Control-Allow-Origin", value: origin),
                    (name: "Access-Control-Allow-Credentials", value: "true"),
                ]
            }
            let body = Data(text.utf8)
            try await writer.sendHead(
                status: status, headers: own + marks + headers, framing: .length(body.count), first: body)
            return .next
        }
    }
#endif
