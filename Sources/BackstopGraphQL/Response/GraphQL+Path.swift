extension GraphQL {
    /// The place of a field in a response.
    ///
    /// ```swift
    /// let path: GraphQL.Path = "hero.friends[2].name"
    /// ```
    public struct Path: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
        CustomStringConvertible
    {
        /// A step of a path.
        public enum Element: Sendable, Hashable {
            /// A member of an object, by its name in the response.
            case key(String)
            /// An element of a list, from 0.
            case index(Int)
        }

        /// The steps, from the root.
        public let elements: [Element]

        /// Makes a path from its steps.
        public init(_ elements: [Element]) {
            self.elements = elements
        }

        /// Makes a path from its steps.
        public init(arrayLiteral elements: Element...) {
            self.init(elements)
        }

        /// Parses a path such as `hero.friends[2].name`; brackets without a number contain a key.
        public init(stringLiteral text: String) {
            self.init(text)
        }

        /// Parses a path such as `hero.friends[2].name`; brackets without a number contain a key.
        public init(_ text: String) {
            let steps = text.split { $0 == "." || $0 == "[" || $0 == "]" }
            elements = steps.map { step in
                Int(step).map { Element.index($0) } ?? .key(String(step))
            }
        }

        /// The path as it is parsed.
        public var description: String {
            var text = ""
            for element in elements {
                switch element {
                case .key(let key): text += text.isEmpty ? key : ".\(key)"
                case .index(let index): text += "[\(index)]"
                }
            }
            return text
        }

        /// The same path with keys in lower case, without `_` and `-`.
        var loosened: Path {
            Path(
                elements.map { element in
                    guard case .key(let key) = element else {
                        return element
                    }
                    return .key(key.filter { $0 != "_" && $0 != "-" }.lowercased())
                })
        }

        /// How many steps both paths share from the root.
        func sharedSteps(with other: Path) -> Int {
            zip(elements, other.elements).prefix { $0 == $1 }.count
        }
    }
}

extension GraphQL.Path.Element: Codable {
    /// Writes a string or an integer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .key(let key): try container.encode(key)
        case .index(let index): try container.encode(index)
        }
    }

    /// Reads a string or an integer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let index = try? container.decode(Int.self) {
            self = .index(index)
        } else {
            self = .key(try container.decode(String.self))
        }
    }
}

extension Sequence<GraphQL.Error> {
    /// Whether one of the errors may explain a null field: one at it, below it or above it, or one without a path.
    ///
    /// - Parameter path: The decoder's path, whose names may differ from those of the response in case, `_` and `-`.
    func mayExplain(_ path: GraphQL.Path) -> Bool {
        let wanted = path.loosened
        return contains { error in
            guard let place = error.path?.loosened, !place.elements.isEmpty else {
                return true
            }
            let shared = place.sharedSteps(with: wanted)
            return shared == wanted.elements.count || shared == place.elements.count
        }
    }

    /// The error that explains a null field; nil when none does.
    ///
    /// That is the error at the field itself, else one below it whose null propagated up, else one above it.
    public func explaining(_ path: GraphQL.Path) -> GraphQL.Error? {
        var best: (error: GraphQL.Error, rank: Int)?
        for error in self {
            guard let place = error.path, !place.elements.isEmpty else {
                continue
            }
            let shared = place.sharedSteps(with: path)
            let rank: Int
            if place == path {
                return error
            } else if shared == path.elements.count {
                // Below the field: the nearest one is the likeliest.
                rank = 1_000_000 - place.elements.count
            } else if shared == place.elements.count {
                // Above the field.
                rank = shared
            } else {
                continue
            }
            if rank > best?.rank ?? Int.min {
                best = (error, rank)
            }
        }
        return best?.error
    }
}
