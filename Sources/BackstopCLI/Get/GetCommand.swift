#if Demo
    internal import ArgumentParser
    internal import Backstop
    internal import BackstopCore
    internal import BackstopTransfers
    internal import Dispatch
    internal import Foundation
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// `backstop get`: one request through the standard chain.
    struct GetCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Sends one request through the standard chain and shows the result.",
            discussion: """
                \(CallArguments.exitStatuses)
                A failure that no --handle is for goes to a default handler named "default".
                """)

        @OptionGroup
        var call: CallArguments

        @Option(name: [.customShort("X"), .customLong("request")], help: "The method. Default: GET, or POST with -d.")
        var method: String?

        @Option(
            name: [.customShort("d"), .customLong("data")], parsing: .unconditionalSingleValue,
            help: """
                The body. @FILE sends the bytes of a file as they are, @- those of standard input. Several are joined with &.
                """)
        var bodies: [String] = []

        @Flag(
            name: .customLong("stream"),
            help: """
                Write the body while it arrives. With -o, download it to a new file: what has arrived stays beside it if the \
                download fails, and the next one goes on there.
                """)
        var streams = false

        func validate() throws {
            guard CallArguments.checksValues else {
                return
            }
            _ = try makeRequest()
            guard streams else {
                return
            }
            guard !call.includesHead else {
                throw ValidationError("-i prints the head of a whole response: leave it out with --stream.")
            }
            guard !call.json || call.output != nil else {
                throw ValidationError(
                    "--json prints its object to standard output, so a stream cannot go there: add -o FILE.")
            }
        }

        func run() async throws {
            var request = try makeRequest()
            try addBody(to: &request)
            let endpoint = RawCall(request: request)
            let handlers = call.handlers
            if streams {
                return try await stream(endpoint, handlers)
            }
            try await call.perform { client, calls in
                var report = CallReport(await client.perform(endpoint, handlers: { handlers }), calls: calls.all)
                report.further = Self.members(of: report.response, showsBody: call.output == nil)
                return report
            }
        }

        /// Writes the body while it arrives.
        private func stream(_ endpoint: RawCall, _ handlers: [any FailureHandler]) async throws {
            let file = call.output.flatMap { $0 == "-" ? nil : URL(fileURLWithPath: $0) }
            let output = StreamedOutput()
            try await output.watch {
                try await call.perform(writesBody: false) { client, calls in
                    guard let file else {
                        let outcome = await client.perform(endpoint, as: .chunks) { chunk in
                            try await output.write(chunk)
                        } handlers: {
                            handlers
                        }
                        return output.report(CallReport(outcome, calls: calls.all))
                    }
                    let outcome = await client.perform(endpoint, downloadingTo: file, handlers: { handlers })
                    var report = CallReport(outcome, calls: calls.all)
                    report.further = Self.members(of: report.response, showsBody: false)
                    return report
                }
            }
        }

        /// Headers and body for JSON: the body as text, or in base64 where it is none.
        static func members(of response: HTTP.Response?, showsBody: Bool) -> [(String, String)] {
            guard let response else {
                return [("headers", "null"), ("body", "null"), ("bodyEncoding", "null")]
            }
            let names = response.headers.map { $0.name.text.lowercased() }
            let headers = Set(names).sorted().map { name in
                let values = response.headers.filter { $0.name.text.lowercased() == name }
                return (name, "[" + values.map { JSONWriter.quoted($0.value) }.joined(separator: ",") + "]")
            }
            let text = String(data: response.body, encoding: .utf8)
            return [
                ("headers", JSONWriter.object(headers)),
                ("body", showsBody ? JSONWriter.quoted(text ?? response.body.base64EncodedString()) : "null"),
                ("bodyEncoding", showsBody ? JSONWriter.quoted(text == nil ? "base64" : "utf-8") : "null"),
            ]
        }

        private func makeRequest() throws -> HTTP.Request {
            try call.makeRequest(method: method ?? (bodies.isEmpty ? "GET" : "POST"))
        }

        private func addBody(to request: inout HTTP.Request) throws {
            guard !bodies.isEmpty else {
                return
            }
            let parts = try bodies.map { body in
                body.first == "@" ? try InputFile.read(String(body.dropFirst())) : Data(body.utf8)
            }
            let data = Data(parts.joined(separator: Data("&".utf8)))
            request.body = .data(data)
            if request.headers[.contentType] == nil {
                let first = data.first { !" \t\r\n".utf8.contains($0) }
                let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
                request.headers[.contentType] = isJSON ? "application/json" : "application/x-www-form-urlencoded"
            }
        }
    }

    /// Standard output, for a body that is still arriving.
    final class StreamedOutput: Sendable {
        /// Why no more can be written, guarded by the lock.
        private let unwritten = Lock<Unwritten?>(nil)

        private var problem: Unwritten? {
            unwritten.withLock { $0 }
        }

        /// Runs a command that writes here, whose own error counts only if nothing was wrong with the output.
        func watch(_ command: () async throws -> Void) async throws {
            do {
                try await command()
            } catch {
                guard let problem else {
                    throw error
                }
                guard problem.code == EPIPE else {
                    throw problem
                }
                // The reader has gone away: it wants no more.
                throw ExitCode.success
            }
        }

        /// The report of a call; what was wrong with the output is said elsewhere.
        func report(_ report: CallReport) -> CallReport {
            problem == nil ? report : CallReport(Outcome.value(true), calls: report.calls)
        }

        /// Writes bytes, however long the reader takes: on a thread of its own, since it may take forever.
        func write(_ data: Data) async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                DispatchQueue.global().async {
                    do throws(Unwritten) {
                        try writeAll(data, to: STDOUT_FILENO)
                        continuation.resume()
                    } catch {
                        self.unwritten.withLock { $0 = error }
                        continuation.resume(throwing: error)
                    }
                }
            }
        }
    }

    /// A plain request; its content is the response.
    struct RawCall: Endpoint {
        let request: HTTP.Request
        var name: String { "\(request.method) \(request.url.path)" }

        func makeRequest() throws -> HTTP.Request {
            request
        }

        func content(from response: HTTP.Response) throws -> HTTP.Response {
            response
        }
    }
#endif
