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

        @Option(
            help: """
                What carries such results; left out, multipart. On Linux, websocket needs the trait AsyncHTTPClient.
                """)
        var by: ResultCarrier?

        func validate() throws {
            if by != nil, !subscribe {
                throw ValidationError("--by says what carries the results of --subscribe: add that as well.")
            }
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
                CallReport(graphQL: await client.perform(operation, handlers: { handlers }), calls: calls.all)
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
            let delivery = try (by ?? .multipart).delivery(to: call.url)
            try await output.watch {
                try await call.perform(writesBody: false, prepare) { client, calls in
                    output.report(
                        await .following(
                            operation, by: delivery, with: client, calls, handlers: handlers,
                            resubscribed: { Console.writeError($0) }, show: { try await output.write($0) }))
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
                    document.operations.count == 1
                        ? "The only operation of the document is \(names): leave out --operation."
                        : "The document has \(candidates.isEmpty ? "no such operation" : "several operations"): \(names). "
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
            case (nil, nil):
                throw ValidationError("Give the document: either --query or --file.")
            default:
                throw ValidationError("There are both --query and --file: leave one of them out.")
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

    extension CallReport {
        /// What came of a GraphQL call, which shows more than others.
        init(graphQL outcome: Outcome<GraphQL.Result<some Encodable>>, calls: [FinishedCall]) {
            self.init(outcome, calls: calls)
            let failure = outcome.failure ?? calls.last?.failure
            let data = outcome.value.map { Self.json($0.data) } ?? Self.json(failure?.graphQL?.data(as: JSONValue.self))
            let apq = calls.last?.values.persistedQuery ?? .off
            further = [
                ("data", data), ("errors", Self.json(outcome.value?.errors ?? failure?.graphQLErrors ?? [])),
                ("apq", JSONWriter.quoted(apq.description)),
            ]
        }

        /// One of several results as a line.
        private static func line(_ result: GraphQL.Result<JSONValue>, _ further: [(String, String)] = []) -> Data {
            let members = [("data", json(result.data)), ("errors", json(result.errors))] + further
            return Data((Console.escaped(JSONWriter.object(members)) + "\n").utf8)
        }

        private static func json(_ value: some Encodable) -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
        }

        /// Makes a call whose results arrive one after the other, each as a line.
        ///
        /// - Parameters:
        ///   - options: Nil for the client's.
        ///   - resubscribed: Told when it has begun again after a failure, in words.
        ///   - show: Gets each line.
        static func following(
            _ operation: DynamicOperation, by delivery: GraphQL.Delivery, options: GraphQL.Options? = nil,
            with client: Client, _ calls: Calls, handlers: [any FailureHandler],
            resubscribed: @escaping @Sendable (String) -> Void, show: (Data) async throws -> Void
        ) async -> CallReport {
            let outcome: Outcome<TransferReport>
            if operation.document.kind == .subscription {
                outcome = await client.perform(
                    operation, by: delivery, resubscribed: { resubscribed("Subscribed again, after \($0.code).") },
                    options: options
                ) { result in
                    try await show(line(result))
                } handlers: {
                    handlers
                }
            } else {
                outcome = await client.performIncrementally(operation, by: delivery, options: options) { part in
                    try await show(line(part.result, [("hasNext", part.hasNext ? "true" : "false")]))
                } handlers: {
                    handlers
                }
            }
            return CallReport(outcome, calls: calls.all)
        }
    }
#endif
