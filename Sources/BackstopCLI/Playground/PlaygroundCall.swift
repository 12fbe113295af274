#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopSubscriptions
    internal import BackstopTransfers
    internal import Foundation

    /// A call of the playground, as the parameters of a request describe it. Each has bounds.
    struct PlaygroundCall: Sendable {
        /// What the content is read as.
        enum Content: String, CaseIterable, Sendable {
            case anything, books, items, availability
            /// Not read, but shown as it arrives.
            case stream, events
        }

        /// The type of the error bodies.
        enum ServiceErrors: String, CaseIterable, Sendable {
            case problem, reason
        }

        static let parameters: Set<String> = [
            "target", "method", "key", "content", "errors", "operation", "by", "attempts", "delay", "timeout",
            "deadline", "handle", "chain", "interceptors", "language", "page",
        ]
        /// The languages that the texts for people can have.
        enum Language: String, CaseIterable, Sendable {
            case en, de
        }
        static let attemptRange = 1...10
        static let delayRange = 0.0...10.0
        static let timeoutRange = 0.1...30.0
        static let deadlineRange = 0.1...120.0
        static let handlerLimit = 10

        let target: PlaygroundTarget
        let method: HTTP.Method
        /// Whether the request has an idempotency key.
        let hasKey: Bool
        let content: Content
        let serviceErrors: ServiceErrors
        /// The GraphQL operation; nil for a call that is none.
        let operation: GraphQLExample?
        /// What carries its results, if they arrive one after the other.
        let carrier: ResultCarrier
        let settings: PlaygroundChain.Settings
        /// The roles of the chain, outermost first.
        let roles: [Role]
        /// The codes that the call's own handlers are for.
        let codes: [String]
        let language: Language
        /// What the page calls itself that makes the call; nil for none.
        let page: String?
        /// Whether the trace shows the interceptors.
        let tracesInterceptors: Bool

        init(_ query: WebQuery) throws(WebRefusal) {
            guard let text = query.text("target") else {
                throw .badRequest("Which target? Such as /playground/run?target=/status/503")
            }
            target = try PlaygroundTarget(text)
            let methods = ["GET", "HEAD", "POST", "PUT", "DELETE"]
            let name = query.text("method") ?? "GET"
            guard methods.contains(name), let method = try? HTTP.Method(name) else {
                throw .badRequest("method is one of: \(methods.joined(separator: ", "))")
            }
            self.method = method
            hasKey = try query.flag("key")
            content = try query.word("content", of: Content.self) ?? .anything
            serviceErrors = try query.word("errors", of: ServiceErrors.self) ?? .problem
            operation = try query.word("operation", of: GraphQLExample.self)
            carrier = try query.word("by", of: ResultCarrier.self) ?? .multipart
            guard ResultCarrier.available.contains(carrier) else {
                throw .badRequest(ResultCarrier.advice)
            }
            settings = PlaygroundChain.Settings(
                attempts: try query.integer("attempts", in: Self.attemptRange) ?? 3,
                delay: try query.seconds("delay", in: Self.delayRange) ?? .milliseconds(500),
                timeout: try query.seconds("timeout", in: Self.timeoutRange) ?? .seconds(3),
                deadline: try query.seconds("deadline", in: Self.deadlineRange), serviceErrors: serviceErrors)
            roles = try PlaygroundChain.roles(query.text("chain"))
            codes = query.texts("handle")
            let isCode = { (code: String) in
                !code.isEmpty && code.utf8.count <= 64
                    && code.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            }
            guard codes.count <= Self.handlerLimit, codes.allSatisfy(isCode) else {
                throw .badRequest("handle is a failure code, such as status.503, and comes at most 10 times")
            }
            language = try query.word("language", of: Language.self) ?? .en
            page = query.text("page")
            guard page?.utf8.count ?? 0 <= 64 else {
                throw .badRequest("page has at most 64 characters")
            }
            tracesInterceptors = try query.flag("interceptors")
        }

        /// Makes the call, and gives what `get --json` prints of it and more.
        ///
        /// - Parameters:
        ///   - origin: The server.
        ///   - transport: What sends the requests.
        ///   - live: Follows the call.
        ///   - streamed: Gets what arrives of a stream.
        func run(
            at origin: URL, through transport: any HTTP.Transport, watching live: LiveTrace, streamed: StreamedText
        ) async -> PlaygroundResult {
            let calls = Calls()
            let log = LogLines()
            let client: Client
            let path = target.fresh
            let delivery: GraphQL.Delivery
            do {
                client = try makeClient(origin, WatchedTransport(transport: transport, live: live), calls, log)
                delivery = try carrier.delivery(to: origin.absoluteString + path, over: transport, watching: live)
            } catch {
                return PlaygroundResult(
                    report: nil, problem: String(describing: error), log: log.all, streamed: nil, language: language)
            }
            let report = await CallReport.withDefaultHandler {
                await self.report(client, path, delivery, calls, streamed)
            }
            return PlaygroundResult(
                report: report, problem: nil, log: log.all, streamed: streamed.text, language: language)
        }

        private func makeClient(
            _ origin: URL, _ transport: any HTTP.Transport, _ calls: Calls, _ log: LogLines
        ) throws -> Client {
            var options = CallOptions()
            options.tracesInterceptors = tracesInterceptors
            options.observers = [calls]
            options.failureBodyLimit = 1 << 20
            var handling = FailureHandling()
            handling.log = log
            let chain = try HTTP.Chain(
                transport: transport,
                interceptors: try roles.map { try PlaygroundChain.interceptor($0, settings, log: log) })
            return try Client(baseURL: origin, chain: chain, options: options, handling: handling)
        }

        private var handlers: [any FailureHandler] { CallReport.handlers(for: codes) }

        private func report(
            _ client: Client, _ path: String, _ delivery: GraphQL.Delivery, _ calls: Calls, _ streamed: StreamedText
        ) async -> CallReport {
            if let operation {
                let options = client.graphQLOptions.changing { $0.path = String(path.dropFirst()) }
                if [.counter, .deferred].contains(operation) {
                    return await .following(
                        operation.operation, by: delivery, options: options, with: client, calls, handlers: handlers,
                        resubscribed: { streamed.add($0 + "\n") },
                        show: { streamed.add(String(decoding: $0, as: UTF8.self)) })
                }
                let outcome = await client.perform(
                    operation.operation, options: options, handlers: { handlers })
                return CallReport(graphQL: outcome, calls: calls.all)
            }
            let request: HTTP.Request
            do {
                request = try makeRequest(path)
            } catch {
                return CallReport(thrown: Failure(error), calls: calls.all)
            }
            return switch content {
            case .anything:
                CallReport(await client.perform(RawCall(request: request), handlers: { handlers }), calls: calls.all)
            case .books: await report(Envelope<[Book]>.self, request, client, calls)
            case .items: await report(BookList.self, request, client, calls)
            case .availability: await report(Availability.self, request, client, calls)
            case .stream:
                await report(.chunks, request, client, calls) { streamed.add(String(decoding: $0, as: UTF8.self)) }
            case .events: await report(.events(), request, client, calls) { streamed.add($0.data + "\n") }
            }
        }

        private func report<Element>(
            _ format: StreamFormat<Element>, _ request: HTTP.Request, _ client: Client, _ calls: Calls,
            each: (Element) -> Void
        ) async -> CallReport {
            let options = (try? StreamOptions(silence: settings.timeout)) ?? .standard
            let outcome = await client.perform(
                RawCall(request: request), as: format, options: options, each: { each($0) }, handlers: { handlers })
            return CallReport(outcome, calls: calls.all)
        }

        private func report<Value: Decodable & Sendable>(
            _: Value.Type, _ request: HTTP.Request, _ client: Client, _ calls: Calls
        ) async -> CallReport {
            let endpoint = JSONCall<Value>(request: request)
            return CallReport(await client.perform(endpoint, handlers: { handlers }), calls: calls.all)
        }

        private func makeRequest(_ path: String) throws -> HTTP.Request {
            var headers: HTTP.Headers = [:]
            if hasKey {
                headers[.idempotencyKey] = UUID().uuidString
            }
            return try HTTP.Request(method, path, headers: headers)
        }

        /// `{"data": ...}`
        private struct Envelope<Value: Decodable & Sendable>: Decodable, Sendable {
            let data: Value
        }

        private struct JSONCall<Value: Decodable & Sendable>: JSONEndpoint {
            typealias Content = Value
            let request: HTTP.Request
            var name: String { "\(request.method) \(request.url.path)" }

            func makeRequest() throws -> HTTP.Request {
                request
            }
        }
    }

    /// What has arrived of a stream, up to a bound; a page shows no more.
    final class StreamedText: Sendable {
        /// In characters.
        static let bound = 65_536

        private let pass: @Sendable (String) -> Void
        /// What has arrived, and how much more is taken; guarded by the lock.
        private let arrived = Lock<(text: String?, left: Int)>((nil, bound))

        /// - Parameter pass: Gets each part, in order.
        init(pass: @escaping @Sendable (String) -> Void = { _ in }) {
            self.pass = pass
        }

        var text: String? {
            arrived.withLock { $0.text }
        }

        func add(_ part: String) {
            let shown = arrived.withLock { arrived in
                let shown = String(part.prefix(arrived.left))
                arrived.left -= shown.count
                arrived.text = arrived.text ?? ""
                arrived.text?.append(shown)
                return shown
            }
            if !shown.isEmpty {
                pass(shown)
            }
        }
    }

    /// Keeps the lines that a call writes into the log.
    final class LogLines: LogSink {
        /// The lines, at most 100, guarded by the lock.
        private let lines = Lock<[LogEntry]>([])

        func write(_ entry: LogEntry) {
            lines.withLock { lines in
                if lines.count < 100 {
                    lines.append(entry)
                }
            }
        }

        var all: [LogEntry] {
            lines.withLock { $0 }
        }
    }
#endif
