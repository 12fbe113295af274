public import Backstop
internal import BackstopCore
internal import Foundation

extension GraphQL {
    /// An entry of `errors` in a GraphQL response.
    public struct Error: Swift.Error, Sendable, Hashable {
        /// A place in the document.
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

        /// What is wrong, for developers; empty when the server did not say.
        public let message: String
        /// Where in the document; empty when the server did not say.
        public let locations: [Location]
        /// Which field of the response; nil when the error is about none.
        public let path: Path?
        /// What else the server says; empty when it says nothing.
        public let extensions: [String: JSONValue]

        /// Makes an error.
        public init(
            _ message: String, locations: [Location] = [], path: Path? = nil, extensions: [String: JSONValue] = [:]
        ) {
            self.message = message
            self.locations = locations
            self.path = path
            self.extensions = extensions
        }

        /// `extensions.code`, where most servers put a code for machines; nil when there is none.
        public var code: String? {
            extensions["code"]?.string
        }

        /// A member of `extensions`, decoded.
        ///
        /// ```swift
        /// func seconds(_ error: GraphQL.Error) -> Int? {
        ///     error.extension("retryAfter", as: Int.self)
        /// }
        /// ```
        /// - Returns: nil when there is no such member, or it is of another type.
        public func `extension`<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) -> Value? {
            extensions[key].flatMap { try? $0.decoded(as: type) }
        }

        /// The whole of `extensions`, decoded into a type of the app's.
        ///
        /// - Throws: `DecodingError` when it does not fit.
        public func extensions<Value: Decodable>(as type: Value.Type) throws -> Value {
            try JSONValue.object(extensions).decoded(as: type)
        }
    }
}

extension GraphQL.Error: Codable {
    private enum CodingKeys: CodingKey {
        case message, locations, path, extensions
    }

    /// Reads an entry; what is malformed in it is left out, so that it does not hide the rest.
    public init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
            let text = (try? JSONValue(from: decoder))?.string
            self.init(text ?? "The server sent an error that is not an object.")
            return
        }
        // Elements that are neither string nor integer end the path: what comes after them has no place.
        let elements = try? container.decode([GraphQL.Path.Element?].self, forKey: .path)
        let lenient = elements ?? (try? container.decode([LenientElement].self, forKey: .path))?.map(\.element)
        self.init(
            (try? container.decode(String.self, forKey: .message)) ?? "",
            locations: (try? container.decode([Lenient<Location>].self, forKey: .locations))?.compactMap(\.value) ?? [],
            path: lenient.map { GraphQL.Path($0.prefix { $0 != nil }.compactMap { $0 }) },
            extensions: container.lenientMembers(forKey: .extensions))
    }

    /// Writes the entry as a server would; what is empty is left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(message, forKey: .message)
        if !locations.isEmpty {
            try container.encode(locations, forKey: .locations)
        }
        try container.encodeIfPresent(path?.elements, forKey: .path)
        if !extensions.isEmpty {
            try container.encode(extensions, forKey: .extensions)
        }
    }

    /// Reads a list of errors; `null` and absence are none, and something that is no list is one malformed error.
    static func list<Key: CodingKey>(in container: KeyedDecodingContainer<Key>, forKey key: Key) -> [GraphQL.Error] {
        guard container.contains(key), (try? container.decodeNil(forKey: key)) != true else {
            return []
        }
        if let list = try? container.decode([GraphQL.Error].self, forKey: key) {
            return list
        }
        return [(try? container.decode(GraphQL.Error.self, forKey: key)) ?? GraphQL.Error("The errors cannot be read.")]
    }

    /// A value that is nil when it cannot be decoded.
    private struct Lenient<Value: Decodable>: Decodable {
        let value: Value?

        init(from decoder: any Decoder) throws {
            value = try? Value(from: decoder)
        }
    }

    private struct LenientElement: Decodable {
        let element: GraphQL.Path.Element?

        init(from decoder: any Decoder) throws {
            element = try? GraphQL.Path.Element(from: decoder)
        }
    }
}

extension GraphQL.Error: CustomStringConvertible {
    /// The message, with path and code where there are some; secrets are redacted.
    public var description: String {
        var text = message.isEmpty ? "(no message)" : Redaction.shown(message)
        if let path, !path.elements.isEmpty {
            text += " at \(path)"
        }
        if let code {
            text += " (\(code))"
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
