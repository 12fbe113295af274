import BackstopTestSupport

/// The tokens of a random document that is well written.
struct RandomDocument {
    private(set) var tokens: [String] = []
    private var random: SeededNumbers

    /// A document of one operation, or of several with names, and fragments.
    init(seed: UInt64) {
        random = SeededNumbers(seed: seed)
        for number in 0...random.below(3) {
            tokens += [["query", "mutation", "subscription"][random.below(3)], "Operation\(number)"]
            if random.below(2) == 0 { variables() }
            directives(isConstant: false)
            selectionSet(depth: 0)
        }
        for number in 0..<random.below(3) {
            tokens += ["fragment", "Fragment\(number)", "on", name()]
            directives(isConstant: false)
            selectionSet(depth: 0)
        }
    }

    /// The document with other blanks, commas and comments at each call.
    mutating func text() -> String {
        var text = random.below(4) == 0 ? "\u{FEFF}" : ""
        for token in tokens {
            text += token
            text += [" ", "\n", "\r\n", "\r", ", ", "\t", " # é }\n", ",,\n\n  ", "#\"\"\"\r"][random.below(9)]
        }
        return text
    }

    private mutating func name() -> String {
        ["a", "name", "query", "on", "fragment", "true", "_", "_1x", "null", "Hero", "type"][random.below(11)]
    }

    private mutating func variables() {
        tokens.append("(")
        for number in 0...random.below(3) {
            tokens += ["$", "v\(number)", ":"]
            let isList = random.below(2) == 0
            tokens += isList ? ["[", "Int", "!", "]"] : ["Int"]
            if random.below(2) == 0 { tokens.append("!") }
            if random.below(2) == 0 {
                tokens.append("=")
                value(depth: 0, isConstant: true)
            }
            directives(isConstant: true)
        }
        tokens.append(")")
    }

    private mutating func selectionSet(depth: Int) {
        tokens.append("{")
        for _ in 0...random.below(4) {
            switch random.below(6) {
            case 0: tokens += ["...", "Fragment\(random.below(3))"]
            case 1 where depth < 4:
                tokens.append("...")
                if random.below(2) == 0 { tokens += ["on", name()] }
                directives(isConstant: false)
                selectionSet(depth: depth + 1)
            default:
                if random.below(3) == 0 { tokens += [name(), ":"] }
                tokens.append(name())
                if random.below(3) == 0 { arguments(isConstant: false) }
                directives(isConstant: false)
                if depth < 4, random.below(3) == 0 { selectionSet(depth: depth + 1) }
            }
        }
        tokens.append("}")
    }

    private mutating func directives(isConstant: Bool) {
        guard random.below(4) == 0 else { return }
        tokens += ["@", name()]
        if random.below(2) == 0 { arguments(isConstant: isConstant) }
    }

    private mutating func arguments(isConstant: Bool) {
        tokens.append("(")
        for _ in 0...random.below(2) {
            tokens += [name(), ":"]
            value(depth: 0, isConstant: isConstant)
        }
        tokens.append(")")
    }

    private mutating func value(depth: Int, isConstant: Bool) {
        switch random.below(depth < 3 ? 11 : 8) {
        case 0 where !isConstant: tokens += ["$", "v\(random.below(3))"]
        case 0, 1: tokens.append(["0", "-0", "12", "-9007199254740993", "1e400"][random.below(5)])
        case 2: tokens.append(["0.0", "-1.5E-7", "3e+2", "1.25e9"][random.below(4)])
        case 3: tokens.append(["\"\"", "\"{ # }\"", #""\u00e9\u{1F600}\n\"""#, #""\ud83d\ude00 \\""#][random.below(4)])
        case 4: tokens.append(["\"\"\"\"\"\"", "\"\"\"a \"b\" \\\"\"\" #{\n\n   c\r\n  d\"\"\""][random.below(2)])
        case 5: tokens.append(["true", "false"][random.below(2)])
        case 6: tokens.append("null")
        case 7: tokens.append("JEDI")
        case 8, 9:
            tokens.append("[")
            for _ in 0..<random.below(3) { value(depth: depth + 1, isConstant: isConstant) }
            tokens.append("]")
        default:
            tokens.append("{")
            for _ in 0..<random.below(3) {
                tokens += [name(), ":"]
                value(depth: depth + 1, isConstant: isConstant)
            }
            tokens.append("}")
        }
    }
}
