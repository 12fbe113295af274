#if Demo
    internal import ArgumentParser
    internal import Backstop
    internal import BackstopCore
    internal import Foundation

    /// `backstop get`: one request through the standard chain.
    struct GetCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Sends one request through the standard chain and says what came of it.",
            discussion: """
                Exit status: 0 with a value, 1 with a failure, handled or not, 2 for wrong usage.
                A failure that no --handle is for goes to a default handler named "default".
                """)

        @OptionGroup
        var call: CallArguments

        @Option(name: [.customShort("X"), .customLong("request")], help: "The method. Default: GET, or POST with -d.")
        var method: String?

        @Option(name: [.customShort("d"), .customLong("data")], parsing: .unconditional, help: "The body.")
        var body: String?

        func validate() throws {
            _ = try makeRequest()
        }

        func run() async throws {
            let endpoint = RawCall(request: try makeRequest())
            let handlers = call.handlers
            try await call.perform { client, calls in
                CallReport(await client.perform(endpoint, handlers: { handlers }), calls: calls.all)
            }
        }

        private func makeRequest() throws -> HTTP.Request {
            do {
                let verb = try method.map { text throws(RequestError) in try HTTP.Method(text) }
                var request = try call.makeRequest(method: verb ?? (body == nil ? .get : .post))
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
    }

    /// A request as it is; its content is the response.
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
