#if Demo
    internal import ArgumentParser
    internal import Backstop
    internal import BackstopCore
    internal import BackstopGraphQLSyntax
    internal import BackstopSubscriptions
    internal import Foundation

    /// `backstop graphql`: one operation through the standard chain.
    struct GraphQLCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "graphql",
            abstract: "Sends one GraphQL operation through the standard chain and shows the result.",
            discussion: """
                \(CallArguments.exitStatuses)
                Data that comes with errors is a value, unless --fail-on-partial is given.
                """)

        @OptionGroup
        var call: CallArguments

        @Option(help: "The document.")
        var query: String?

        @Option(help: "A file with the document; - for standard input.", completion: .file(extensions: ["graphql"]))
        var file: String?

        @Option(help: "The operation to execute, if the document has several.")
        var operation: String?

        @Option(help: "The variables, a JSON object.")
        var variables: String?

        @Flag(help: "Send the hash of the document first, and the document only if the server asks for it.")
        var apq = false

        @Flag(help: "Send queries by GET: with --apq only hashes, otherwise all.")
        var get = false

        @Flag(help: "Treat data with errors as a failure.")
        var failOnPartial = false

        @Flag(
            help: """
                Show the results while they arrive, each as a line of JSON: those of a subscription, or of a query with \
                @defer or @stream all that has arrived so far.
                """)
        var subscribe = false

        @Option(help: "What carries such results. On Linux, websocket needs the trait AsyncHTTPClient.")
        var by = ResultCarrier.multipart

        func validate() throws {
            guard CallArguments.checksValues, subscribe else {
                return
            }
            guard !call.json, !call.includesHead, call.output == nil else {
                throw ValidationError("With --subscribe each result is a line of JSON: leave out --json, -i and -o.")
            }
        }

        func run() async throws {
            let operation = try makeOperation()
            let handlers = call.handlers
            if subscribe {
                return try await show(operation, handlers)
            }
            try await call.perform(prepare) { client, calls in
                let outcome = await client.perform(operation, handlers: { handlers })
                var report = CallReport(outcome, calls: calls.all)
                report.further = GraphQLMembers(outcome, calls: calls.all).all
                return report
            }
        }

        private func prepare(_ client: Client) throws -> Client {
            let headers = try call.makeRequest().headers
            let persisting =
                apq
                ? try client.withChain {
                    try $0.inserting(PersistedQueries(), outside: .attemptTimeout)
                } : client
            return persisting.withOptions { options in
                options.values.graphQL.headers = headers
                options.values.graphQL.failsOnPartialData = failOnPartial
                options.values.graphQL.usesGETForQueries = get && !apq
                options.values.graphQL.usesGETForHashedQueries = get && apq
            }
        }

        /// Writes the results while they arrive.
        private func show(_ operation: DynamicOperation, _ handlers: [any FailureHandler]) async throws {
            let output = StreamedOutput()
            let delivery = try by.delivery(to: call.url)
            try await output.watch {
                try await call.perform(writesBody: false, prepare) { client, calls in
                    guard operation.document.kind == .subscription else {
                        return output.report(
                            await client.performIncrementally(operation, by: delivery) { part in
                                try await output.write(
                                    GraphQLMembers.line(part.result, [("hasNext", part.hasNext ? "true" : "false")]))
                            } handlers: {
                                handlers
                            }, calls)
                    }
                    return output.report(
                        await client.perform(
                            operation, by: delivery,
                            resubscribed: { Console.writeError("Subscribed again, after \($0.code).") }
                        ) { result in
                            try await output.write(GraphQLMembers.line(result))
                        } handlers: {
                            handlers
                        }, calls)
                }
            }
        }

        private func makeOperation() throws -> DynamicOperation {
            let text = try documentText()
            let document: GraphQLDocument
            do {
                document = try GraphQLDocument(parsing: text)
            } catch {
                throw ValidationError("The document is wrong at \(error.line):\(error.column): \(error.message)")
            }
            let candidates = document.operations.filter { operation == nil || $0.name == operation }
            guard let chosen = candidates.first, candidates.count == 1 else {
                let names = document.operations.map { $0.name ?? "(without a name)" }.joined(separator: ", ")
                throw ValidationError(
                    "The document has \(candidates.isEmpty ? "no such operation" : "several operations"): \(names). "
                        + "Name one of them with --operation.")
            }
            guard subscribe || chosen.kind != .subscription else {
                throw ValidationError("A subscription has results one after the other: add --subscribe.")
            }
            return DynamicOperation(
                document: GraphQL.Document(text: text, name: chosen.name), variables: try parsedVariables())
        }

        private func documentText() throws -> String {
            switch (query, file) {
            case (let query?, nil):
                return query
            case (nil, let file?):
                return String(decoding: try InputFile.read(file), as: UTF8.self)
            default:
                throw ValidationError("Give the document: either --query or --file.")
            }
        }

        private func parsedVariables() throws -> JSONValue {
            guard let variables else {
                return .object([:])
            }
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(variables.utf8)),
                case .object = value
            else {
                throw ValidationError("--variables takes a JSON object, such as '{\"id\": 1}'.")
            }
            return value
        }
    }

    /// An operation known only at run time.
    struct DynamicOperation: GraphQL.Operation {
        typealias Data = JSONValue
        let document: GraphQL.Document
        let variables: JSONValue
    }

    /// What a GraphQL call shows in addition to other calls.
    struct GraphQLMembers {
        /// JSON.
        private let data: String
        private let errors: [GraphQL.Error]
        private let apq: GraphQL.PersistedQueryStatus

        init(_ outcome: Outcome<GraphQL.Result<some Encodable>>, calls: [FinishedCall]) {
            let failure = outcome.failure ?? calls.last?.failure
            if let result = outcome.value {
                data = Self.json(result.data)
                errors = result.errors
            } else {
                errors = failure?.graphQLErrors ?? []
                data = Self.json(failure?.graphQL?.data(as: JSONValue.self))
            }
            apq = calls.last?.values.persistedQuery ?? .off
        }

        var all: [(String, String)] {
            [("data", data), ("errors", Self.json(errors)), ("apq", JSONWriter.quoted(apq.description))]
        }

        /// One of several results as a line.
        static func line(_ result: GraphQL.Result<JSONValue>, _ further: [(String, String)] = []) -> Data {
            let members = [("data", json(result.data)), ("errors", json(result.errors))] + further
            return Data((JSONWriter.object(members) + "\n").utf8)
        }

        private static func json(_ value: some Encodable) -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
        }
    }
#endif
