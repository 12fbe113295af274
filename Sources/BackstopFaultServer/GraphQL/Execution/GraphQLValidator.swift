#if Demo
    internal import BackstopGraphQLSyntax

    /// Checks a document against the schema before anything of it is executed (GraphQL, 5).
    struct GraphQLValidator {
        /// How deep fields and fragments may be in one another once fragments are put in their places.
        static let depthLimit = 50
        /// How long the key of a field may be, in bytes: it stands in the answer as often as the field.
        static let keyLimit = 256
        /// How many errors are told; the rest would add nothing.
        static let faultLimit = 50
        /// What `@skip` and `@include` take.
        static let conditionInputs = [GraphQLInput("if", "Boolean!")]

        /// A variable where a value of some type is expected.
        struct VariableUse {
            let name: String
            let type: GraphQLType
            /// Whether the argument has a value of its own when the variable has none.
            let hasFallback: Bool
            let range: GraphQLRange
        }

        /// What an operation or a fragment refers to.
        struct References {
            var variables: [VariableUse] = []
            var fragments: [String] = []
        }

        let schema: GraphQLSchema
        let document: GraphQLDocument
        let fragments: [String: GraphQLDocument.Fragment]
        private(set) var faults: [GraphQLFault] = []

        init(schema: GraphQLSchema, document: GraphQLDocument) {
            self.schema = schema
            self.document = document
            fragments = Dictionary(document.fragments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// Everything that is wrong with the document; empty when it can be executed.
        static func faults(in document: GraphQLDocument, schema: GraphQLSchema) -> [GraphQLFault] {
            var validator = GraphQLValidator(schema: schema, document: document)
            validator.checkNames()
            validator.checkNesting()
            // What follows goes through fragments, which must not contain themselves.
            guard validator.faults.isEmpty else { return validator.faults }
            validator.checkDefinitions()
            return Array(validator.faults.prefix(faultLimit))
        }

        mutating func report(_ message: String, at range: GraphQLRange) {
            guard faults.count < Self.faultLimit else { return }
            faults.append(.invalid(message, at: range))
        }

        // MARK: Names

        private mutating func checkNames() {
            let operations = document.operations
            for operation in operations where operation.name == nil && operations.count > 1 {
                report("This anonymous operation must be the only defined operation.", at: operation.range)
            }
            var names: Set<String> = []
            for operation in operations {
                if let name = operation.name, !names.insert(name).inserted {
                    report("There can be only one operation named \"\(name)\".", at: operation.nameRange)
                }
                var variables: Set<String> = []
                for variable in operation.variables where !variables.insert(variable.name).inserted {
                    report("There can be only one variable named \"$\(variable.name)\".", at: variable.range)
                }
            }
            var fragmentNames: Set<String> = []
            for fragment in document.fragments where !fragmentNames.insert(fragment.name).inserted {
                report("There can be only one fragment named \"\(fragment.name)\".", at: fragment.nameRange)
            }
        }

        // MARK: Nesting

        private mutating func checkNesting() {
            var heights: [String: Int] = [:]
            for operation in document.operations {
                guard height(of: operation.selections, level: 1, inside: [], &heights) != nil else { return }
            }
            for fragment in document.fragments where heights[fragment.name] == nil {
                guard height(of: fragment.selections, level: 1, inside: [fragment.name], &heights) != nil else {
                    return
                }
            }
        }

        /// How many levels there are below; nil when that is too many, or endless, which has been reported.
        private mutating func height(
            of selections: [GraphQLDocument.Selection], level: Int, inside: Set<String>, _ heights: inout [String: Int]
        ) -> Int? {
            var highest = 0
            for selection in selections {
                guard level <= Self.depthLimit else {
                    report("The document is deeper than \(Self.depthLimit) levels.", at: selection.range)
                    return nil
                }
                var height: Int? = 0
                switch selection {
                case .field(let field):
                    height = self.height(of: field.selections, level: level + 1, inside: inside, &heights)
                case .inlineFragment(let fragment):
                    height = self.height(of: fragment.selections, level: level + 1, inside: inside, &heights)
                case .spread(let spread):
                    height = self.height(of: spread, level: level + 1, inside: inside, &heights)
                }
                guard let height else { return nil }
                highest = max(highest, height + 1)
            }
            return highest
        }

        private mutating func height(
            of spread: GraphQLDocument.FragmentSpread, level: Int, inside: Set<String>, _ heights: inout [String: Int]
        ) -> Int? {
            guard !inside.contains(spread.name) else {
                report("Cannot spread fragment \"\(spread.name)\" within itself.", at: spread.range)
                return nil
            }
            guard let fragment = fragments[spread.name] else { return 0 }
            if let known = heights[spread.name] {
                guard level + known <= Self.depthLimit else {
                    report("The document is deeper than \(Self.depthLimit) levels.", at: spread.range)
                    return nil
                }
                return known
            }
            let height = height(
                of: fragment.selections, level: level, inside: inside.union([spread.name]), &heights)
            heights[spread.name] = height
            return height
        }
    }
#endif
