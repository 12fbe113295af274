internal import Backstop
internal import BackstopCore
internal import Foundation

extension GraphQL {
    /// An error of a GraphQL response.
    public struct Error: Swift.Error, Sendable, Hashable {
        /// A location in the document.
        public struct Location: Sendable, Hashable, Codable {
            /// The line, from 1.
            public let line: Int
            /// The column, from 1.
            public let column: Int

            /// Makes a location.
            public init(line: Int, column: Int) {
                self.line = line
                self.column = column
            }
        }

        /// The message, for developers; empty when the server sent none.
        public let message: String
        /// The locations in the document; empty when the server sent none.
        public let locations: [Location]
        /// The path of the affected field; nil when there is none.
        public let path: Path?
        /// The error's `extensions`; empty when there are none.
        public let extensions: Extensions
        /// The members that the specification does not know, such as GitHub's `type`; empty when there are none.
        public let otherMembers: Extensions

        /// Makes an error.
        public init(
            _ message: String, locations: [Location] = [], path: Path? = nil, extensions: Extensions = [:],
            otherMembers: Extensions = [:]
        ) {
            self.message = message
            self.locations = locations
            self.path = path
            self.extensions = extensions
            self.otherMembers = otherMembers
        }

        /// The code for machines: `extensions.code`, where most servers put it, or the error's own member `code` or
        /// `type`, as GitHub has it; nil when there is none.
        public var code: String? {
            codes.first
        }

        /// All codes, from the most to the least usual place.
        var codes: [String] {
            [extensions["code"], otherMembers["code"], otherMembers["type"]].compactMap { $0 }
        }
    }
}

extension GraphQL.Error: Codable {
    /// Reads an entry; malformed parts are dropped, so that they do not hide the rest.
    public init(from decoder: any Decoder) throws {
        self.init(reading: try JSONValue(from: decoder))
    }

    /// Reads an entry; malformed parts are dropped, so that they do not hide the rest.
    init(reading value: JSONValue) {
        guard case .object(let members) = value else {
            self.init(value.string ?? "The server sent an error that is not an object.")
            return
        }
        var path: GraphQL.Path?
        if case .array(let elements)? = members["path"] {
            // An element that is neither a string nor an integer ends the path: what follows has no place.
            let steps = elements.map(GraphQL.Path.Element.init(reading:))
            path = GraphQL.Path(steps.prefix { $0 != nil }.compactMap { $0 })
        }
        var locations: [Location] = []
        if case .array(let elements)? = members["locations"] {
            locations = elements.compactMap(Location.init(reading:))
        }
        var extensions: GraphQL.Extensions = [:]
        if case .object(let members)? = members["extensions"] {
            extensions = GraphQL.Extensions(members)
        }
        let known: Set = ["message", "locations", "path", "extensions"]
        self.init(
            members["message"]?.string ?? "", locations: locations, path: path, extensions: extensions,
            otherMembers: GraphQL.Extensions(members.filter { !known.contains($0.key) }))
    }

    /// Writes the entry as a server would, without empty parts.
    public func encode(to encoder: any Encoder) throws {
        var members = otherMembers.members
        members["message"] = .string(message)
        if !locations.isEmpty {
            members["locations"] = .array(
                locations.map { .object(["line": .int(Int64($0.line)), "column": .int(Int64($0.column))]) })
        }
        if let path {
            members["path"] = .array(
                path.elements.map { element in
                    switch element {
                    case .key(let key): .string(key)
                    case .index(let index): .int(Int64(index))
                    }
                })
        }
        if !extensions.isEmpty {
            members["extensions"] = .object(extensions.members)
        }
        try JSONValue.object(members).encode(to: encoder)
    }

    /// Reads a list of errors; `null` and absence mean none, and anything but a list is one malformed error.
    static func list(in value: JSONValue?) -> [GraphQL.Error] {
        switch value {
        case nil, .null?: []
        case .array(let entries)?: entries.map(GraphQL.Error.init(reading:))
        case .some(let other): [GraphQL.Error(reading: other)]
        }
    }
}

extension GraphQL.Error.Location {
    /// Reads a location; nil when it is not one.
    fileprivate init?(reading value: JSONValue) {
        guard let line = value["line"]?.int.flatMap({ Int(exactly: $0) }),
            let column = value["column"]?.int.flatMap({ Int(exactly: $0) })
        else {
            return nil
        }
        self.init(line: line, column: column)
    }
}

extension GraphQL.Path.Element {
    /// Reads a step; nil when it is neither string nor integer.
    fileprivate init?(reading value: JSONValue) {
        switch value {
        case .string(let key): self = .key(key)
        case .int(let index):
            guard let index = Int(exactly: index) else {
                return nil
            }
            self = .index(index)
        default: return nil
        }
    }
}

extension GraphQL.Error: CustomStringConvertible {
    /// The message, with path and code, if any, secrets redacted, cut to fit a line.
    public var description: String {
        var text = message.isEmpty ? "(no message)" : Redaction.shown(message, upTo: 500)
        if let path, !path.elements.isEmpty {
            text += " at \(Redaction.shown(path.description, upTo: 200))"
        }
        if let code {
            text += " (\(Redaction.shown(code, upTo: 100)))"
        }
        return text
    }
}

extension JSONValue {
    /// The value, decoded into another type.
    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
    }
}
