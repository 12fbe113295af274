#if Demo
    import Foundation

    /// A way in which the body of a response is broken, or odd.
    enum GraphQLMalformation: String, CaseIterable, Sendable {
        /// Entries of `errors` that are none, between two good ones.
        case errorsEntry
        case noDataNoErrors, notObject, notJSON, empty, truncated, byteOrderMark
        /// A page, with the type of one.
        case html
        /// A byte that is not UTF-8 in a message.
        case notUTF8
        /// `errors` beside the data: `[]`, `null`, and an object instead of a list.
        case emptyErrors, nullErrors, errorsObject
        /// Integers over 32 and over 63 bits in the extensions of the response and of an error.
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
        /// Keys that no specification knows, in the response and in an error.
        case unknownKeys

        /// The broken body.
        /// - Parameters:
        ///   - members: What would be sent otherwise: `data`, `errors` or both.
        ///   - depth: How deep `deepExtensions` nests.
        func body(for members: [(name: String, json: String?)], depth: Int) -> Data {
            var members = members
            let json = LiteralJSON.object(members)
            switch self {
            case .noDataNoErrors: return Data("{}".utf8)
            case .notObject: return Data("[1,2]".utf8)
            case .notJSON: return Data("upstream is not available".utf8)
            case .html: return Data("<!doctype html>\n<title>Sign in</title>\n<h1>Sign in to this network</h1>\n".utf8)
            case .empty: return Data()
            case .truncated: return Data(json.utf8.prefix(json.utf8.count / 2))
            case .notUTF8: return Data("{\"errors\":[{\"message\":\"caf".utf8) + [0xE9] + Data("\"}]}".utf8)
            case .byteOrderMark: return Data("\u{FEFF}\(json)".utf8)
            case .duplicate: return Data("{\"data\":null,\"errors\":null,\(json.dropFirst())".utf8)
            default: break
            }
            for (name, json) in changes(to: members.last { $0.name == "data" }?.json, depth: depth) {
                if let index = members.firstIndex(where: { $0.name == name }) {
                    members[index].json = json
                } else {
                    members.append((name, json))
                }
            }
            return Data(LiteralJSON.object(members).utf8)
        }

        /// The members that are other than they should be; those without a value are left out.
        private func changes(to data: String?, depth: Int) -> [(name: String, json: String?)] {
            let errors = { (message: String, more: String) in
                ("errors", "[{\"message\":\"\(message)\",\(more)}]" as String?)
            }
            switch self {
            case .errorsEntry: return [("errors", Self.oddEntries)]
            case .emptyErrors: return [("errors", "[]")]
            case .nullErrors: return [("errors", "null")]
            case .errorsObject: return [("errors", "{\"message\":\"errors is an object\"}")]
            case .bigNumbers:
                return [errors("The numbers are big.", "\"extensions\":\(Self.numbers)"), ("extensions", Self.numbers)]
            case .deepExtensions:
                let nested = String(repeating: "{\"in\":", count: depth) + "1" + String(repeating: "}", count: depth)
                return [errors("The extensions are deep.", "\"extensions\":\(nested)"), ("extensions", nested)]
            case .noData:
                let fields = (try? JSONSerialization.jsonObject(with: Data((data ?? "").utf8))) as? [String: Any]
                let entries = fields?.keys.sorted().map { key in
                    "{\"message\":\"The field was lost.\",\"path\":\(LiteralJSON.strings([key]))}"
                }
                return entries.map { [("data", nil), ("errors", LiteralJSON.list($0))] } ?? []
            case .dataWrongType: return [("data", "\"none\"")]
            case .wrongField:
                let leaf = #/:("[^"]*"|\d+|null)/#
                return [("data", data?.replacing(leaf, with: ":{\"unexpected\":true}", maxReplacements: 1))]
            case .unknownKeys:
                let error = errors("There are unknown keys.", "\"severity\":\"low\"")
                return [error, ("hasNext", "false"), ("trace", "{\"id\":7}")]
            default: return []
            }
        }

        /// The first and the last one are good.
        private static let oddEntries = #"""
            [{"message":"The first entry is good.","path":["hero"]},7,"a text",null,[],{"path":["hero","friends"]},\#
            {"message":404,"extensions":"none","locations":"nowhere"},\#
            {"message":"The path is odd.","path":["hero",true,null,1.5,-1,{},1099511627776]},\#
            {"message":"The last entry is good.","extensions":{"code":"LAST"}}]
            """#

        private static let numbers = #"""
            {"over32":4294967296,"over53":9007199254740993,"least":-9223372036854775808,\#
            "over63":18446744073709551615,"fraction":0.1,"exponent":1e21}
            """#
    }
#endif
