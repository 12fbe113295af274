public import BackstopCore

extension HTTP {
    /// The header fields of a message: ordered, with case-insensitive names and several values per name.
    ///
    /// A name or value that would corrupt the message, for example with CR, LF or NUL, is refused when it is set:
    /// ``set(_:for:)`` and ``add(_:for:)`` throw; an assignment by subscript cannot throw, so it stores nothing, and
    /// the request fails with `request.invalidHeader` before anything is sent.
    ///
    /// ```swift
    /// var headers: HTTP.Headers = ["Accept": "application/json"]
    /// headers[.acceptLanguage] = "sv"
    /// try headers.add("no-cache", for: "Cache-Control")
    /// ```
    public struct Headers: Sendable, Hashable {
        /// A header field.
        public struct Field: Sendable, Hashable {
            /// The name as written.
            public let name: Name
            /// The value, without white space around it.
            public let value: String
        }

        /// The fields in their order.
        public private(set) var fields: [Field] = []

        /// The error of a refused assignment, which cannot throw; nil when there is none.
        public private(set) var refused: RequestError?

        /// Makes empty headers.
        public init() {}

        /// Makes headers of a dictionary, in the order of its names; one that is refused fails the request, as a
        /// subscript does.
        public init(_ values: [String: String]) {
            for (name, value) in values.ordered(by: { $0.key < $1.key }) {
                self[Name(name)] = value
            }
        }

        /// Makes headers of fields that were checked, or received.
        init(received fields: [Field]) {
            self.fields = fields
        }

        /// The first value of a name; setting it replaces all values of the name, and nil removes them.
        public subscript(name: Name) -> String? {
            @inline(never) get { fields.first { $0.name == name }?.value }
            set {
                guard let newValue else {
                    remove(name)
                    return
                }
                do {
                    try set(newValue, for: name)
                } catch {
                    refused = refused ?? error
                }
            }
        }

        /// All values of a name, in their order.
        public subscript(values name: Name) -> [String] {
            fields.filter { $0.name == name }.map(\.value)
        }

        /// Replaces all values of a name.
        ///
        /// - Throws: `RequestError` with `.invalidHeader` when name or value would corrupt the message (RFC 9110, 5.5).
        public mutating func set(_ value: String, for name: Name) throws(RequestError) {
            let field = try Self.field(name, value)
            let index = fields.firstIndex { $0.name == name } ?? fields.endIndex
            remove(name)
            fields.insert(field, at: index)
        }

        /// Adds a value after the existing ones of the same name.
        ///
        /// - Throws: `RequestError` with `.invalidHeader` when name or value would corrupt the message (RFC 9110, 5.5).
        public mutating func add(_ value: String, for name: Name) throws(RequestError) {
            fields.append(try Self.field(name, value))
        }

        /// Removes all values of a name.
        @inline(never)
        public mutating func remove(_ name: Name) {
            fields.removeAll { $0.name == name }
        }

        /// Adds a received field, whatever it contains; blanks around the value are no part of it (RFC 9112, 5.1).
        package mutating func addReceived(_ value: String, for name: String) {
            fields.append(Field(name: Name(name), value: FieldText.trimmed(value)))
        }

        private static func field(_ name: Name, _ value: String) throws(RequestError) -> Field {
            guard FieldText.isToken(name.text) else {
                throw RequestError(
                    .invalidHeader,
                    "The header name \"\(name.text.debugText)\" is not allowed: use letters, digits and !#$%&'*+-.^_`|~"
                )
            }
            let trimmed = FieldText.trimmed(value)
            for byte in trimmed.utf8 where byte < 0x20 && byte != 0x09 || byte == 0x7F {
                let hex = String(byte, radix: 16, uppercase: true)
                throw RequestError(
                    .invalidHeader,
                    "The value of the header \(name.text) has the control character 0x\(hex), which would break the "
                        + "message: remove it or encode the value")
            }
            return Field(name: name, value: trimmed)
        }
    }
}

extension HTTP.Headers: ExpressibleByDictionaryLiteral {
    /// Makes headers from names and values; several fields may have the same name. Invalid ones are refused as by
    /// subscript.
    public init(dictionaryLiteral elements: (Name, String)...) {
        for (name, value) in elements {
            do {
                try add(value, for: name)
            } catch {
                refused = refused ?? error
            }
        }
    }
}

extension HTTP.Headers {
    /// Whether both have the same fields in the same order.
    public static func == (left: Self, right: Self) -> Bool {
        left.fields == right.fields
    }

    /// Hashes the fields.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(fields)
    }
}

extension HTTP.Headers: Sequence {
    /// Iterates over the fields in order.
    public func makeIterator() -> IndexingIterator<[Field]> {
        fields.makeIterator()
    }
}

extension HTTP.Headers: CustomStringConvertible, CustomReflectable {
    /// The fields, one per line, secrets redacted.
    public var description: String {
        lines(.standard).joined(separator: "\n")
    }

    /// The same for dumps.
    public var customMirror: Mirror {
        Mirror(
            self, children: lines(.standard).map { (label: String?.none, value: $0 as Any) }, displayStyle: .collection)
    }

    /// The fields, one per line.
    ///
    /// - Parameter redaction: What is hidden.
    public func lines(_ redaction: Redaction) -> [String] {
        fields.map { $0.line(redaction, limit: .max) }
    }

    /// The first 40 fields, one per line, cut to fit a report.
    func reportLines(_ redaction: Redaction) -> [String] {
        var lines = fields.prefix(40).map { $0.line(redaction, limit: 200) }
        if fields.count > 40 {
            lines.append("(\(fields.count - 40) more \(fields.count == 41 ? "header" : "headers"))")
        }
        return lines
    }
}

extension HTTP.Headers.Field: DescribedInDumps {
    /// The field, its value redacted if its name is sensitive.
    public var description: String {
        line(.standard, limit: .max)
    }

    /// Name and value on one line, each with a limited number of scalars.
    func line(_ redaction: Redaction, limit: Int) -> String {
        let shown = redaction.header(name.text, String(value.unicodeScalars.prefix(limit)))
        return "\(BodyText.line(name.text, limit: limit)): \(BodyText.line(shown, limit: limit))"
    }
}
