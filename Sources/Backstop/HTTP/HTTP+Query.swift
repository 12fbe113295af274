public import Foundation

extension HTTP {
    /// Query items, or the fields of a form, in order.
    ///
    /// Values are strings, numbers, booleans, or arrays of them, with one item per element. A nil value leaves its item
    /// out; ``nameOnly`` is an item without a value. Names and values are percent-encoded.
    ///
    /// ```swift
    /// func search(_ text: String, page: Int, author: String?) throws -> HTTP.Request {
    ///     try HTTP.Request(.get, "books", query: ["q": text, "page": page, "author": author, "inStock": true])
    /// }
    /// ```
    public struct Query: Sendable, Hashable {
        /// One item.
        struct Item: Sendable, Hashable {
            let name: String
            let value: String?
        }

        private(set) var items: [Item] = []

        /// Makes an empty query.
        public init() {}

        /// The items of a dictionary, sorted by name; a nil value leaves its item out.
        ///
        /// ```swift
        /// let filters = ["genre": "novel", "year": "1965"]
        /// let request = try HTTP.Request(.get, "books", query: HTTP.Query(filters))
        /// ```
        public init<Value: HTTP.QueryValue>(_ items: [String: Value?]) {
            for (name, value) in items.ordered(by: { $0.key < $1.key }) {
                add(value, for: name)
            }
        }

        /// The same for non-optional values.
        public init<Value: HTTP.QueryValue>(_ items: [String: Value]) {
            self.init(items.mapValues { Value?.some($0) })
        }

        /// The items of a list; an item without a value is only a name.
        public init(_ items: [URLQueryItem]) {
            self.items = items.map { Item(name: $0.name, value: $0.value) }
        }

        /// Adds the items of a value; none for nil.
        public mutating func add(_ value: (any HTTP.QueryValue)?, for name: String) {
            for text in value?.queryTexts ?? [] {
                items.append(Item(name: name, value: text))
            }
        }

        /// The value of an item that is only a name: `?all`.
        public static let nameOnly: any HTTP.QueryValue = NameOnly()
    }

    /// A value of a query item.
    public protocol QueryValue: Sendable {
        /// The values of its items: usually one, none or several for arrays; nil for only a name.
        var queryTexts: [String?] { get }
    }

    private struct NameOnly: QueryValue {
        var queryTexts: [String?] { [nil] }
    }
}

extension HTTP.Query {
    /// Adds the items of another query.
    package mutating func add(_ other: HTTP.Query) {
        items += other.items
    }

    /// The items as the body of a form; one that is only a name has an empty value.
    var formText: String {
        items.map { "\(Self.formText($0.name))=\(Self.formText($0.value ?? ""))" }.joined(separator: "&")
    }

    /// A text with all bytes percent-encoded but letters, digits and `*-._`, spaces as plus signs, and all line ends as CR
    /// LF (HTML, 4.10.21.4).
    package static func formText(_ text: String) -> String {
        let text = String(text.map { $0 == "\n" || $0 == "\r" ? "\r\n" : $0 })
        return URLText.form.encoded(text).replacing("%20", with: "+")
    }
}

extension HTTP.Query: ExpressibleByDictionaryLiteral {
    /// The items of a literal, in the order written; names may be repeated.
    public init(dictionaryLiteral elements: (String, (any HTTP.QueryValue)?)...) {
        for (name, value) in elements {
            add(value, for: name)
        }
    }
}

extension HTTP.QueryValue where Self: LosslessStringConvertible {
    /// The description.
    public var queryTexts: [String?] { [description] }
}

extension HTTP.QueryValue where Self: RawRepresentable, RawValue: HTTP.QueryValue {
    /// The items of the raw value.
    public var queryTexts: [String?] { rawValue.queryTexts }
}

extension String: HTTP.QueryValue {}
extension Substring: HTTP.QueryValue {}
extension Bool: HTTP.QueryValue {}
extension Int: HTTP.QueryValue {}
extension Int8: HTTP.QueryValue {}
extension Int16: HTTP.QueryValue {}
extension Int32: HTTP.QueryValue {}
extension Int64: HTTP.QueryValue {}
extension UInt: HTTP.QueryValue {}
extension UInt8: HTTP.QueryValue {}
extension UInt16: HTTP.QueryValue {}
extension UInt32: HTTP.QueryValue {}
extension UInt64: HTTP.QueryValue {}
extension Float: HTTP.QueryValue {}
extension Double: HTTP.QueryValue {}

extension Decimal: HTTP.QueryValue {
    /// The digits, with a point.
    public var queryTexts: [String?] { [description] }
}

extension UUID: HTTP.QueryValue {
    /// The text with hyphens.
    public var queryTexts: [String?] { [uuidString] }
}

extension Array: HTTP.QueryValue where Element: HTTP.QueryValue {
    /// The values of all elements.
    public var queryTexts: [String?] { flatMap(\.queryTexts) }
}
