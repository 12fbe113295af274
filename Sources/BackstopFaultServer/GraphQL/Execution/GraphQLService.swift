#if Demo
    internal import BackstopGraphQLSyntax

    /// Answers documents: reads, checks and executes them.
    struct GraphQLService {
        /// What a request asks for, once its document is known.
        struct Call {
            var document: String
            var operationName: String?
            var variables: GraphQLObject
            /// Whether it came with GET, by which nothing may be changed.
            var isGet: Bool
            /// Whether the fields of the root are never null.
            var hasStrictRoot: Bool
        }

        /// What an executed operation ends with.
        struct Outcome {
            /// Null when an error has reached the root.
            var data: GraphQLValue
            var faults: [GraphQLFault]
        }

        /// More than people write; less than would keep the server busy for long.
        private static let limits = GraphQLLimits(bytes: GraphQLRequest.bodyLimit, depth: 100, tokens: 20_000)

        let schema: GraphQLSchema
        let store: GraphQLStore

        /// Executes the operation.
        /// - Throws: why nothing was executed.
        func outcome(of call: Call) throws(GraphQLRequestFault) -> Outcome {
            let document = try parse(call.document)
            let faults = GraphQLValidator.faults(in: document, schema: schema)
            guard faults.isEmpty else { throw GraphQLRequestFault(faults) }
            let operation = try operation(in: document, named: call.operationName)
            guard operation.kind == .query || !call.isGet else {
                throw .wrongMethod("GET answers queries only; send mutations with POST.", allow: "POST")
            }
            let variables = try variables(of: operation, call.variables)
            var executor = GraphQLExecutor(
                schema: schema, store: store,
                fragments: Dictionary(
                    document.fragments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
                variables: variables, hasStrictRoot: call.hasStrictRoot)
            let data = executor.data(of: operation)
            if let fatal = executor.fatal { throw GraphQLRequestFault([fatal]) }
            return Outcome(data: data, faults: executor.faults)
        }

        private func parse(_ text: String) throws(GraphQLRequestFault) -> GraphQLDocument {
            do throws(GraphQLSyntaxError) {
                return try GraphQLDocument(parsing: text, limits: Self.limits)
            } catch {
                throw GraphQLRequestFault([
                    GraphQLFault(
                        message: "Syntax Error: \(error.message).",
                        places: [GraphQLFault.Place(line: error.line, column: error.column)],
                        code: "GRAPHQL_PARSE_FAILED")
                ])
            }
        }

        /// The operation with this name, or the only one (GraphQL, 6.1).
        private func operation(
            in document: GraphQLDocument, named name: String?
        ) throws(GraphQLRequestFault) -> GraphQLDocument.Operation {
            let code = "OPERATION_RESOLUTION_FAILURE"
            let operations = document.operations
            guard let name, !name.isEmpty else {
                guard let first = operations.first else {
                    throw GraphQLRequestFault("Must provide an operation.", code: code)
                }
                guard operations.count == 1 else {
                    throw GraphQLRequestFault(
                        "Must provide operation name if query contains multiple operations.", code: code)
                }
                return first
            }
            guard let operation = operations.first(where: { $0.name == name }) else {
                throw GraphQLRequestFault("Unknown operation named \"\(name.prefix(80))\".", code: code)
            }
            return operation
        }

        /// The values that the operation sees; those that are neither given nor have a default are absent.
        private func variables(
            of operation: GraphQLDocument.Operation, _ given: GraphQLObject
        ) throws(GraphQLRequestFault) -> [String: GraphQLValue] {
            let coercion = GraphQLCoercion(schema: schema)
            let values = Dictionary(given.members.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
            var result: [String: GraphQLValue] = [:]
            var faults: [GraphQLFault] = []
            for variable in operation.variables {
                do throws(GraphQLCoercion.Problem) {
                    if let value = values[variable.name] {
                        result[variable.name] = try coercion.value(value, as: variable.type)
                    } else if let value = variable.defaultValue {
                        result[variable.name] = try coercion.literal(value, as: variable.type, [:])
                    } else if variable.type.isNonNull {
                        let subject = "Variable \"$\(variable.name)\" of required type \"\(variable.type)\""
                        faults.append(.badInput("\(subject) was not provided.", at: variable.range))
                    }
                } catch {
                    let value = values[variable.name]?.shortJSON ?? ""
                    let message = "Variable \"$\(variable.name)\" got invalid value \(value); \(error.message)"
                    faults.append(.badInput(message, at: variable.range))
                }
            }
            guard faults.isEmpty else { throw GraphQLRequestFault(faults) }
            return result
        }
    }
#endif
