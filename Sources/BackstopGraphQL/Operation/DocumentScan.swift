/// Reads of a document's text what decides how it is sent: its operations, and whether it is whole.
///
/// One pass over the bytes, without recursion. It does not check what is inside of selections, arguments and values;
/// the plugin `PersistedOperations` and the server do.
struct DocumentScan {
    /// An operation; its name is empty when it has none.
    struct Operation: Equatable {
        let kind: GraphQL.Kind
        let name: String
        /// The variables without which it cannot run: those that may not be null and have no default (GraphQL, 6.1.2).
        var required: [String] = []
        /// The response keys of a mutation's fields in the order in which they run (GraphQL, 6.2.2); names without an
        /// error of their own stand for the fields of a fragment.
        var fields: [String] = []
    }

    /// Why a text is not a document: a sentence with the line.
    struct Mistake: Error {
        let message: String
    }

    private enum Token {
        case name(Range<Int>)
        case string
        case punctuator(UInt8)
        case end
    }

    private let bytes: [UInt8]
    private var position = 0

    /// The operation of this name, or the only one of a text (GraphQL, 6.1).
    static func operation(_ name: String?, in text: String) throws(Mistake) -> Operation {
        var scan = DocumentScan(bytes: Array(text.utf8))
        let operations = try scan.operations()
        let candidates = operations.filter { name == nil || $0.name == name }
        guard let operation = candidates.first, candidates.count == 1 else {
            let names = operations.prefix(10).map { $0.name.isEmpty ? "(without a name)" : $0.name }
            let list = names.joined(separator: ", ")
            throw Mistake(
                message: operations.isEmpty
                    ? "it has no operation"
                    : name.map { "it has no single operation named \"\($0)\", but \(list)" }
                        ?? "it has several operations, so name the one to run: \(list)")
        }
        guard operations.count == 1 || !operations.contains(where: \.name.isEmpty) else {
            throw Mistake(message: "an operation without a name must be the only one (GraphQL, 5.2.3.1)")
        }
        return operation
    }

    private mutating func operations() throws(Mistake) -> [Operation] {
        var operations: [Operation] = []
        while true {
            switch try next() {
            case .end: return operations
            case .string: continue  // A description.
            case .punctuator(UInt8(ascii: "{")):
                _ = try skipSelections()
                operations.append(Operation(kind: .query, name: ""))
            case .name(let range):
                let word = text(range)
                if let kind = GraphQL.Kind(rawValue: word) {
                    let head = try definition(names: 1)
                    let fields = kind == .mutation ? try fields(in: head.selections) : []
                    operations.append(Operation(kind: kind, name: head.name, required: head.required, fields: fields))
                } else if word == "fragment" {
                    // Its name, "on", and the name of a type.
                    _ = try definition(names: 3)
                } else {
                    throw mistake("an operation or a fragment was expected, not \"\(word.prefix(40))\"")
                }
            case .punctuator(let byte): throw unexpected(byte)
            }
        }
    }

    /// Reads a definition after its keyword.
    ///
    /// - Returns: The first name in its head, empty when there is none, the required variables, and where its selections
    ///   are.
    private mutating func definition(
        names limit: Int
    ) throws(Mistake) -> (name: String, required: [String], selections: Range<Int>) {
        var names: [Range<Int>] = []
        var required: [String]?
        while true {
            switch try next() {
            case .name(let range) where names.count < limit: names.append(range)
            case .punctuator(UInt8(ascii: "(")):
                let start = position
                try skip(to: UInt8(ascii: ")"))
                if required == nil {
                    let end = position
                    position = start
                    required = try requiredVariables(before: end)
                    position = end
                }
            case .punctuator(UInt8(ascii: "@")):
                // What is in brackets from here on are arguments.
                required = required ?? []
                guard case .name = try next() else { throw mistake("a directive needs a name") }
            case .punctuator(UInt8(ascii: "{")):
                let selections = try skipSelections()
                return (names.first.map(text) ?? "", required ?? [], selections)
            case .punctuator(let byte): throw unexpected(byte)
            case .name, .string, .end: throw mistake("a selection set in braces was expected")
            }
        }
    }

    /// The declared variables whose type ends with an exclamation mark, and which have no default.
    private mutating func requiredVariables(before end: Int) throws(Mistake) -> [String] {
        var required: [String] = []
        var variable: String?
        var isRequired = false
        func noteLast() {
            if let variable, isRequired {
                required.append(variable)
            }
        }
        while position < end - 1 {
            let token = try next()
            if case .punctuator(UInt8(ascii: "$")) = token, case .name(let name) = try next() {
                noteLast()
                (variable, isRequired) = (text(name), false)
            } else if case .punctuator(UInt8(ascii: "=")) = token {
                variable = nil
            } else if case .punctuator(UInt8(ascii: "@")) = token {
                noteLast()
                variable = nil
            } else if case .punctuator(UInt8(ascii: "!")) = token {
                isRequired = true
            } else {
                isRequired = false
            }
        }
        noteLast()
        return required
    }

    /// The response keys of selections, without those of the fields below.
    private mutating func fields(in selections: Range<Int>) throws(Mistake) -> [String] {
        let end = position
        position = selections.lowerBound
        var keys: [String] = []
        while position < selections.upperBound - 1 {
            switch try next() {
            case .name(let name):
                skipIgnored()
                if byte(ahead: 0) == UInt8(ascii: ":") {
                    // What came was an alias.
                    position += 1
                    _ = try next()
                }
                keys.append(text(name))
            case .punctuator(UInt8(ascii: ".")): keys.append("...")
            case .punctuator(UInt8(ascii: "@")): _ = try next()
            case .punctuator(UInt8(ascii: "(")): try skip(to: UInt8(ascii: ")"))
            case .punctuator(UInt8(ascii: "{")): try skip(to: UInt8(ascii: "}"))
            default: break
            }
        }
        position = end
        return keys.filter { $0 != "__typename" }
    }

    private mutating func skipSelections() throws(Mistake) -> Range<Int> {
        let start = position
        try skip(to: UInt8(ascii: "}"))
        let end = position
        position = start
        skipIgnored()
        guard position < end - 1 else { throw mistake("a selection set needs at least one field") }
        position = end
        return start..<end
    }

    /// Skips to the bracket that closes one that was just read, over all that are nested in it.
    private mutating func skip(to closing: UInt8) throws(Mistake) {
        let start = position
        var expected = [closing]
        while let closing = expected.last {
            switch try next() {
            case .punctuator(UInt8(ascii: "{")): expected.append(UInt8(ascii: "}"))
            case .punctuator(UInt8(ascii: "(")): expected.append(UInt8(ascii: ")"))
            case .punctuator(UInt8(ascii: "[")): expected.append(UInt8(ascii: "]"))
            case .punctuator(closing): expected.removeLast()
            case .punctuator(let byte) where "})]".utf8.contains(byte): throw unexpected(byte)
            case .end: throw mistake("what is opened here is never closed", at: start)
            default: break
            }
        }
    }

    // MARK: Tokens

    private mutating func next() throws(Mistake) -> Token {
        skipIgnored()
        guard let byte = byte(ahead: 0) else { return .end }
        let start = position
        position += 1
        switch byte {
        case UInt8(ascii: "\""):
            try skipString()
            return .string
        case _ where Self.isNameByte(byte):
            while let byte = self.byte(ahead: 0), Self.isNameByte(byte) { position += 1 }
            return .name(start..<position)
        case 0x21...0x7E: return .punctuator(byte)
        default: throw mistake("a character has no meaning outside of strings and comments")
        }
    }

    /// Skips spaces, line ends, commas, comments and byte order marks.
    private mutating func skipIgnored() {
        while let byte = byte(ahead: 0) {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): position += 1
            case UInt8(ascii: "#"):
                while let byte = self.byte(ahead: 0), byte != 0x0A, byte != 0x0D { position += 1 }
            case 0xEF where self.byte(ahead: 1) == 0xBB && self.byte(ahead: 2) == 0xBF: position += 3
            default: return
            }
        }
    }

    /// Skips a string or a block string after its first quote.
    private mutating func skipString() throws(Mistake) {
        let start = position
        let isBlock = isAt("\"\"")
        if isBlock { position += 2 }
        while let byte = byte(ahead: 0) {
            if isBlock, isAt("\"\"\"") {
                position += 3
                return
            } else if !isBlock, byte == UInt8(ascii: "\"") {
                position += 1
                return
            } else if isBlock ? isAt("\\\"\"\"") : byte == UInt8(ascii: "\\") {
                position += isBlock ? 4 : 2
            } else if !isBlock, byte == 0x0A || byte == 0x0D {
                break
            } else {
                position += 1
            }
        }
        throw mistake("a string does not end", at: start)
    }

    private func byte(ahead distance: Int) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    private func isAt(_ word: String) -> Bool {
        position < bytes.count && bytes[position...].starts(with: word.utf8)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private func unexpected(_ byte: UInt8) -> Mistake {
        mistake("\"\(Unicode.Scalar(byte))\" is out of place")
    }

    /// - Parameter place: Where; nil for the last token.
    private func mistake(_ words: String, at place: Int? = nil) -> Mistake {
        let line = 1 + bytes.prefix(place ?? position).count { $0 == 0x0A }
        return Mistake(message: "line \(line): \(words)")
    }
}
