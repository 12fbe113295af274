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

        func run() async throws {
            let request = try call.makeRequest()
            let calls = Calls()
            let client = try call.makeClient(observer: calls)
            let handlers = call.handlers
            let report = await Interrupt.cancelling {
                await DefaultHandlers.withHandlers {
                    Otherwise(name: "default") { _ in }
                } operation: {
                    CallReport(
                        await client.perform(RawCall(request: request), handlers: { handlers }), calls: calls.all)
                }
            }
            if call.json {
                Console.write(JSONWriter.object(report.members))
            } else {
                call.show(report)
            }
            throw ExitCode(report.kind == .value ? 0 : 1)
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
