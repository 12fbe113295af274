#if Demo
    internal import ArgumentParser
    internal import Backstop
    internal import BackstopCore
    internal import BackstopTesting
    internal import Foundation

    #if AsyncHTTPClient
        internal import BackstopAsyncHTTPClient
    #endif

    /// What sends the requests of a command.
    enum TransportName: String, ExpressibleByArgument, CaseIterable {
        case urlsession, asynchttpclient

        /// What is said where the second is not part of the command.
        static let missing = ValidationError(
            "This command was built without async-http-client: use swift run --traits Demo,AsyncHTTPClient backstop.")
    }

    /// The arguments that all calls share.
    struct CallArguments: ParsableArguments {
        /// What the help says of the exit status.
        static let exitStatuses = """
            Exit status: 0 with a value, 1 with a failure, handled or not, 2 when nothing was sent: wrong usage, a request \
            that cannot be made, or a file that cannot be read or made, 3 when what came could not be written. A signal \
            such as that of Control-C ends the call, and after its report the command: 130 in a shell.
            """

        /// Whether values are checked, or options alone.
        @TaskLocal static var checksValues = true

        @Argument(help: "The URL, with http or https.")
        var url: String

        /// The rest of a value without quotes. It may be part of a secret, so it is never shown.
        @Argument(help: .hidden)
        var surplus: [String] = []

        @Option(
            name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
            help: "A header: 'Name: value'. May be repeated.")
        var headers: [String] = []

        @Option(
            name: [.customShort("u"), .customLong("user")], parsing: .unconditional,
            help: ArgumentHelp("Basic authentication, unless -H gives another.", valueName: "user:password"))
        var credentials: String?

        @Option(parsing: .unconditional, help: "The number of attempts in all, from 1 to 100.")
        var attempts = 3

        @Option(parsing: .unconditional, help: "The upper bound of the first wait, in seconds.")
        var baseDelay = 0.5

        @Option(
            parsing: .unconditional,
            help: "How long one attempt may take, in seconds; left out, 30, or the whole deadline if that is shorter.")
        var timeout: Double?

        @Option(parsing: .unconditional, help: "How long the whole call may take, in seconds.")
        var deadline: Double?

        @Option(help: "What sends the request. The second is there with the trait AsyncHTTPClient.")
        var transport = TransportName.urlsession

        @Option(help: "A failure code to handle, such as status.404 or transport.*. May be repeated.")
        var handle: [String] = []

        @Flag(help: "Show a waterfall of attempts, waits and interceptors.")
        var trace = false

        @Flag(help: "Print one JSON object with what came of the call.")
        var json = false

        @Flag(
            name: [.customShort("i"), .customLong("include")],
            help: "Print the status line and headers before the body.")
        var includesHead = false

        @Option(
            name: [.customShort("o"), .customLong("output")],
            help: "Write the body to a new file. Nothing is written if the call fails.",
            completion: .file())
        var output: String?

        /// The handlers that `--handle` asks for, named after their codes.
        var handlers: [any FailureHandler] {
            CallReport.handlers(for: handle)
        }

        func validate() throws {
            guard Self.checksValues else {
                return
            }
            guard surplus.isEmpty else {
                throw ValidationError(
                    "There is more than one URL, or a value without quotes: a value with spaces is written as in "
                        + "-H 'Name: value'.")
            }
            _ = try makeRequest()
            _ = try makePolicy()
            try handle.forEach(Self.check)
            if transport != .urlsession {
                _ = try makeTransport()
            }
            _ = try timeout.map { try Self.duration($0, "--timeout") }
            _ = try deadline.map { try Self.duration($0, "--deadline") }
            guard !json || output != "-" else {
                throw ValidationError(
                    "--json prints its object to standard output, so the body cannot go there: give -o the name of a "
                        + "file.")
            }
            guard !json || !includesHead || output != nil else {
                throw ValidationError(
                    "--json prints the headers by itself: leave -i out, or add -o FILE.")
            }
        }

        /// The request with URL and headers.
        func makeRequest(method: String = "GET") throws -> HTTP.Request {
            do {
                var request = try HTTP.Request(HTTP.Method(method), url)
                guard let scheme = request.url.scheme?.lowercased(), ["http", "https"].contains(scheme),
                    request.url.host?.isEmpty == false
                else {
                    throw ValidationError(
                        "The URL needs http:// or https:// and a host, such as http://127.0.0.1:8080/.")
                }
                for (position, header) in headers.enumerated() {
                    let parts = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                    // Whatever is wrong with it, it may be a secret, which is not shown.
                    guard parts.count == 2, !parts[0].contains(where: \.isWhitespace) else {
                        throw ValidationError(
                            "A header is written 'Name: value', and number \(position + 1) has "
                                + (parts.count == 2 ? "a space before its colon." : "no colon."))
                    }
                    try request.headers.add(String(parts[1]), for: HTTP.Headers.Name(String(parts[0])))
                }
                if let credentials, request.headers[.authorization] == nil {
                    // The first colon ends the name (RFC 7617, 2).
                    guard let colon = credentials.firstIndex(of: ":") else {
                        throw ValidationError("-u takes a name and a password: -u user:password.")
                    }
                    request.headers[.authorization] =
                        HTTP.Headers.basic(
                            user: String(credentials[..<colon]),
                            password: String(credentials[credentials.index(after: colon)...]))[.authorization]
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
                    attempts: attempts, backoff: Backoff(baseDelay: base, maximumDelay: max(.seconds(20), base)),
                    timeouts: .onceIfAnswered)
            } catch let error as ConfigurationError {
                throw ValidationError("\(error)")
            }
        }

        func makeTransport() throws -> any HTTP.Transport {
            switch transport {
            case .urlsession:
                return URLSessionTransport()
            case .asynchttpclient:
                #if AsyncHTTPClient
                    return .asyncHTTPClient
                #else
                    throw TransportName.missing
                #endif
            }
        }

        func makeClient(observer: any CallObserver) throws -> Client {
            var options = CallOptions()
            options.tracesInterceptors = trace
            options.observers = [observer]
            options.failureBodyLimit = 1 << 20
            let deadline = try deadline.map { try Self.duration($0, "--deadline") }
            // That of the chain ends with the head of a stream.
            options.deadline = deadline
            return try Client.standard(
                baseURL: url, transport: makeTransport(), retry: makePolicy(),
                attemptTimeout: timeout.map { try Self.duration($0, "--timeout") },
                deadline: deadline, logging: nil, options: options)
        }

        /// Checks that there are failures with the code of a handler.
        private static func check(code: String) throws {
            let kinds = Set(FailureSamples.all.map(\.failure.reason.kind))
            let whole = code.hasSuffix(".*") ? String(code.dropLast(2)) : code
            let parts = whole.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard kinds.contains(parts[0]) else {
                throw ValidationError(
                    Int(code) == nil
                        ? "\"\(code)\" is no failure code: they begin with \(kinds.sorted().joined(separator: ", "))."
                        : "--handle takes a failure code, not only the number of a status: write status.\(code).")
            }
            let isCode =
                switch parts[0] {
                case _ where parts.count == 1: true
                case "status": Int(parts[1]) != nil
                case "service", "rejected": true
                default: FailureSamples.all.contains { $0.failure.code == whole }
                }
            guard isCode, !whole.contains("*") else {
                throw ValidationError(
                    "No failure has the code \"\(code)\": write one in full, such as status.404, or all of a kind, as "
                        + "status.*.")
            }
        }

        private static func duration(_ seconds: Double, _ option: String, orZero: Bool = false) throws -> Duration {
            guard seconds.isFinite, seconds > 0 || orZero && seconds == 0, seconds <= 86_400 else {
                throw ValidationError(
                    "\(option) takes seconds, \(orZero ? "0 or more" : "more than 0") and at most 86400, not \(seconds)."
                )
            }
            return .seconds(seconds)
        }
    }

    extension CallArguments {
        /// Makes the call with a default handler named "default", prints the result, and exits.
        ///
        /// - Parameter writesBody: Whether the body is written when the call is over, and not by the call.
        /// - Throws: `ExitCode`: 0 with a value, 1 with a failure, 2 when the request could not be made, 3 when the file
        ///   could not be written. `Unwritten` when standard output could not be. A signal ends the process after the
        ///   report.
        func perform(
            writesBody: Bool = true, _ change: (Client) throws -> Client = { $0 },
            call: @escaping @Sendable (Client, Calls) async -> CallReport
        ) async throws {
            let calls = Calls()
            let client = try change(makeClient(observer: calls))
            let file = try writesBody ? output.flatMap { $0 == "-" ? nil : try BodyFile(path: $0) } : nil
            let (report, signal) = await Interrupt.cancelling {
                await CallReport.withDefaultHandler {
                    await call(client, calls)
                }
            }
            let status = try print(report, to: file)
            if let signal {
                Interrupt.end(by: signal)
            }
            throw ExitCode(status)
        }

        /// Prints the result of the call; the report goes to standard error even if the rest cannot be written.
        ///
        /// - Returns: The exit status.
        private func print(_ report: CallReport, to file: BodyFile?) throws(Unwritten) -> Int32 {
            defer {
                if !json {
                    show(report)
                }
            }
            let isWritten = try write(report, to: file)
            if json {
                try Console.writeJSON(JSONWriter.object(report.members))
            }
            switch report.failure?.reason {
            case .request:
                return 2
            case .storage:
                // The file of a download: before anything was sent, or when something had come.
                return report.attempts.isEmpty ? 2 : Unwritten.status
            default:
                break
            }
            return isWritten ? report.kind == .value ? 0 : 1 : Unwritten.status
        }

        /// Writes the response of a successful call to the file, or to standard output if there is none.
        ///
        /// - Returns: False when the file could not be written; the response then goes to standard output.
        private func write(_ report: CallReport, to file: BodyFile?) throws(Unwritten) -> Bool {
            let head = includesHead ? Data((report.response?.head ?? "").utf8) : Data()
            guard report.kind == .value, let response = report.response else {
                file?.discard()
                if !json {
                    try Console.write(head)
                }
                return true
            }
            let data = head + response.body
            if let file {
                do throws(Unwritten) {
                    try file.write(data)
                    return true
                } catch {
                    Console.writeError(
                        "The body could not be written to \(output ?? ""), so it goes to standard output: \(error.reason)"
                    )
                    try Console.write(data)
                    return false
                }
            }
            if !json {
                try Console.write(data)
                // A terminal gets a final line end, so that the prompt starts on its own line. A pipe gets exactly what
                // the server sent.
                if Console.isTerminal, data.last.map({ $0 != UInt8(ascii: "\n") }) ?? false {
                    try Console.write("")
                }
            }
            return true
        }

        /// Prints information for people, beyond the response, to standard error.
        private func show(_ report: CallReport) {
            if trace, let call = report.call {
                var style = Trace.TextStyle()
                style.color = Console.color
                Console.writeError(call.trace.text(style: style))
            }
            switch report.kind {
            case .value:
                break
            case .handled:
                Console.writeError("\(report.failure?.report ?? "")\n  handled:  by \(report.handledBy ?? "")")
            case .unhandled, .cancelled:
                Console.writeError(report.failure?.report ?? "cancelled")
            }
        }
    }

    extension HTTP.Response {
        /// Status line and headers, one field per line, followed by an empty line. The version is left out where the
        /// transport does not say it.
        fileprivate var head: String {
            let phrase = StatusError.reasonPhrase(of: status).map { " \($0)" } ?? ""
            let fields = headers.map { "\($0.name.text): \($0.value)" }
            let version = httpVersion.map { "/\($0)" } ?? ""
            return (["HTTP\(version) \(status)\(phrase)"] + fields).map(Self.line).joined() + "\n"
        }

        /// A line without characters that could rewrite the terminal.
        private static func line(_ text: String) -> String {
            let scalars = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
            return String(String.UnicodeScalarView(scalars)) + "\n"
        }
    }
#endif
