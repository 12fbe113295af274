#if Demo
    import Foundation

    /// A way in which the body of an answer is broken, or odd.
    enum GraphQLMalformation: String, CaseIterable, Sendable {
        /// Entries of `errors` that are none, between two good ones.
        case errorsEntry
        /// `{}`
        case noDataNoErrors
        /// `[1,2]`
        case notObject
        /// Text that is no JSON.
        case notJSON
        /// A page, with the type of one.
        case html
        /// No bytes at all.
        case empty
        /// The body stops in the middle.
        case truncated
        /// A byte that is not UTF-8 in a message.
        case notUTF8
        /// A byte order mark before good JSON.
        case byteOrderMark
        /// `"errors":[]` beside the data; well-formed enough to be read as no errors.
        case emptyErrors
        /// `"errors":null` beside the data.
        case nullErrors
        /// `errors` is an object instead of a list.
        case errorsObject
        /// Integers over 32 and over 63 bits in the extensions of the answer and of an error.
        case bigNumbers
        /// Extensions that nest deep.
        case deepExtensions
        /// No `data`, although the operation was executed: an error for each of its fields instead.
        case noData
        /// `data` is a string.
        case dataWrongType
        /// The first leaf of `data` is an object.
        case wrongField
        /// `data` and `errors` come twice, first as null.
        case duplicate
        /// Keys that no specification knows, in the answer and in an error.
        case unknownKeys

        /// The broken answer.
        /// - Parameters:
        ///   - answer: What would be sent otherwise: `data`, `errors` or both.
        ///   - depth: How deep `deepExtensions` nests.
        func body(for answer: GraphQLObject, depth: Int) -> Data {
            switch self {
            case .noDataNoErrors: Data("{}".utf8)
            case .notObject: Data("[1,2]".utf8)
            case .notJSON: Data("upstream is not available".utf8)
            case .html: Data("<!doctype html>\n<title>Sign in</title>\n<h1>Sign in to this network</h1>\n".utf8)
            case .empty: Data()
            case .truncated: Data(answer.json.utf8.prefix(answer.json.utf8.count / 2))
            case .notUTF8: Data(Array("{\"errors\":[{\"message\":\"caf".utf8) + [0xE9] + Array("\"}]}".utf8))
            case .byteOrderMark: Data(("\u{FEFF}" + answer.json).utf8)
            default: Data(changed(answer, depth: depth).json.utf8)
            }
        }

        private func changed(_ answer: GraphQLObject, depth: Int) -> GraphQLObject {
            var answer = answer
            switch self {
            case .errorsEntry: answer["errors"] = .array(Self.oddEntries)
            case .emptyErrors: answer["errors"] = .array([])
            case .nullErrors: answer["errors"] = .null
            case .errorsObject: answer["errors"] = .object(["message": .string("errors is an object")])
            case .bigNumbers:
                answer["errors"] = .array([Self.entry("The numbers are big.", "extensions", Self.numbers)])
                answer["extensions"] = Self.numbers
            case .deepExtensions:
                let nested = String(repeating: "{\"in\":", count: depth) + "1" + String(repeating: "}", count: depth)
                answer["errors"] = .array([Self.entry("The extensions are deep.", "extensions", .raw(nested))])
                answer["extensions"] = .raw(nested)
            case .noData:
                guard case .object(let data) = answer["data"] else { return answer }
                let errors = data.members.map { member in
                    Self.entry("The field was lost.", "path", .array([.string(member.name)]))
                }
                answer = ["errors": .array(errors)]
            case .dataWrongType: answer["data"] = .string("none")
            case .wrongField: answer["data"] = answer["data"]?.withWrongLeaf
            case .duplicate:
                answer = GraphQLObject(
                    ["data", "errors"].map { GraphQLMember(name: $0, value: .null) } + answer.members)
            case .unknownKeys:
                answer["errors"] = .array([Self.entry("There are unknown keys.", "severity", .string("low"))])
                answer["hasNext"] = .bool(false)
                answer["trace"] = .object(["id": .int(7)])
            default: break
            }
            return answer
        }

        private static func entry(_ message: String, _ name: String, _ value: GraphQLValue) -> GraphQLValue {
            var entry: GraphQLObject = ["message": .string(message)]
            entry.append(name, value)
            return .object(entry)
        }

        /// The first and the last one are good.
        private static let oddEntries: [GraphQLValue] = [
            entry("The first entry is good.", "path", .array([.string("hero")])),
            .int(7),
            .string("a text"),
            .null,
            .array([]),
            .object(["path": .array([.string("hero"), .string("friends")])]),
            .object(["message": .int(404), "extensions": .string("none"), "locations": .string("nowhere")]),
            entry(
                "The path is odd.", "path",
                .array([.string("hero"), .bool(true), .null, .double(1.5), .int(-1), .object([:]), .int(1 << 40)])),
            entry("The last entry is good.", "extensions", .object(["code": .string("LAST")])),
        ]

        private static let numbers: GraphQLValue = .object([
            "over32": .int(4_294_967_296), "over53": .int(9_007_199_254_740_993), "least": .int(.min),
            "over63": .raw("18446744073709551615"), "fraction": .raw("0.1"), "exponent": .raw("1e21"),
        ])
    }

    extension GraphQLValue {
        /// The same with an object in the place of the first leaf.
        fileprivate var withWrongLeaf: GraphQLValue {
            switch self {
            case .object(let object):
                guard let first = object.members.first else { return self }
                var members = object.members
                members[0].value = first.value.withWrongLeaf
                return .object(GraphQLObject(members))
            case .array(let values):
                guard let first = values.first else { return self }
                return .array([first.withWrongLeaf] + values.dropFirst())
            default:
                return .object(["unexpected": .bool(true)])
            }
        }
    }
#endif
