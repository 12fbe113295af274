#if Demo
    internal import ArgumentParser
    internal import Backstop
    internal import BackstopCore
    internal import Foundation

    /// The arguments of one call.
    struct CallArguments: ParsableArguments {
        @Argument(help: "The URL, with http or https.")
        var url: String

        @Option(name: [.customShort("X"), .customLong("request")], help: "The method. Default: GET, or POST with -d.")
        var method: String?

        @Option(
            name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
            help: "A header: 'Name: value'. May be given several times.")
        var headers: [String] = []

        @Option(name: [.customShort("d"), .customLong("data")], parsing: .unconditional, help: "The body.")
        var body: String?

        @Option(help: "How many attempts in all, from 1 to 100.")
        var attempts = 3

        @Option(help: "The upper bound of the first wait, in seconds.")
        var baseDelay = 0.5

        @Option(help: "How long one attempt may take, in seconds.")
        var timeout = 30.0

        @Option(help: "How long the whole call may take, in seconds.")
        var deadline: Double?

        @Option(help: "A failure code to handle, such as status.404 or transport.*. May be given several times.")
        var handle: [String] = []

        @Flag(help: "Show the waterfall of attempts, waits and links.")
        var trace = false

        @Flag(help: "Print one JSON object.")
        var json = false

        /// The handlers that `--handle` asks for, named after their codes.
        var handlers: [any FailureHandler] {
            handle.map { code in
                On(.code(code), name: code) { _ in }
            }
        }

        func validate() throws {
            _ = try makeRequest()
            _ = try makePolicy()
            _ = try Self.duration(timeout, "--timeout")
            _ = try deadline.map { try Self.duration($0, "--deadline") }
        }

        func makeRequest() throws -> HTTP.Request {
            do {
                let verb = try method.map { text throws(RequestError) in try HTTP.Method(text) }
                var request = try HTTP.Request(verb ?? (body == nil ? .get : .post), url)
                guard let scheme = request.url.scheme?.lowercased(), ["http", "https"].contains(scheme),
                    request.url.host?.isEmpty == false
                else {
                    throw ValidationError("The URL needs http:// or https:// and a host, such as http://127.0.0.1:8080/.")
                }
                for header in headers {
                    guard let colon = header.firstIndex(of: ":") else {
                        throw ValidationError("A header is written 'Name: value', and \"\(header.prefix(40))\" has no colon.")
                    }
                    let value = String(header[header.index(after: colon)...])
                    try request.headers.add(value, for: HTTP.Headers.Name(String(header[..<colon])))
                }
                if let body {
                    request.body = .text(body)
                    if request.headers[.contentType] == nil {
                        let isJSON = body.first.map { "{[".contains($0) } ?? false
                        request.headers[.contentType] =
                            isJSON ? "application/json" : "application/x-www-form-urlencoded"
                    }
                }
                return request
            } catch let error as RequestError {
                throw ValidationError(error.detail)
            }
        }

        func makePolicy() throws -> RetryPolicy {
            do {
                let base = try Self.duration(baseDelay, "--base-delay", orZero: true)
                return try RetryPolicy(
                    attempts: attempts, backoff: Backoff(base: base, cap: max(.seconds(20), base)))
            } catch let error as ConfigurationError {
                throw ValidationError("\(error)")
            }
        }

        func makeClient(observer: any CallObserver) throws -> Client {
            var options = CallOptions()
            options.tracesLinks = trace
            options.observers = [observer]
            options.failureBodyLimit = 1 << 20
            return try Client.standard(
                baseURL: url, retry: makePolicy(), attemptTimeout: Self.duration(timeout, "--timeout"),
                deadline: deadline.map { try Self.duration($0, "--deadline") }, logging: nil, options: options)
        }

        private static func duration(_ seconds: Double, _ option: String, orZero: Bool = false) throws -> Duration {
            guard seconds.isFinite, seconds > 0 || orZero && seconds == 0, seconds <= 86_400 else {
                throw ValidationError(
                    "\(option) takes seconds, \(orZero ? "0 or more" : "more than 0") and at most 86400, not \(seconds).")
            }
            return .seconds(seconds)
        }
    }

    extension CallArguments {
        /// Prints what came of the call for people: the body to standard output, everything else to standard error.
        func show(_ report: CallReport) {
            if trace, let call = report.call {
                var style = Trace.TextStyle()
                style.color = Console.color
                Console.writeError(call.trace.text(style: style))
            }
            switch report.kind {
            case .value:
                if let body = report.response?.body, !body.isEmpty {
                    Console.write(body)
                    if body.last != UInt8(ascii: "\n") {
                        Console.write("")
                    }
                }
            case .handled:
                Console.writeError("\(report.failure?.report ?? "")\n  handled:  by \(report.handledBy ?? "")")
            case .unhandled, .cancelled:
                Console.writeError(report.failure?.report ?? "cancelled")
            }
        }
    }
#endif
