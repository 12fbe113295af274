/// The arguments of the tool.
struct Arguments: Sendable, Hashable {
    /// The kinds of output.
    enum Command: String, Sendable, CaseIterable {
        case generate
        case manifest
    }

    /// The kind of output.
    let command: Command

    /// The path of the file to write.
    private(set) var output = ""

    /// The access level of generated constants, from `--module-access`; nil when omitted.
    private(set) var access: SwiftSource.Access?

    /// The path of a configuration file; nil when there is none.
    private(set) var configuration: String?

    /// The paths of the documents, one list per target. `--target` starts a new list.
    private(set) var targets: [[String]] = []

    /// The usage of the tool.
    static let usage = """
        Usage: PersistedOperationsTool generate --output FILE [--module-access internal|public] [--config FILE] INPUT...
               PersistedOperationsTool manifest --output FILE INPUT...
               PersistedOperationsTool manifest --output FILE --target NAME INPUT... --target NAME INPUT...
        """

    /// Why the arguments are invalid.
    struct Mistake: Error, Sendable, Hashable {
        /// What is wrong, in words.
        let message: String
    }

    /// Reads the arguments, without the name of the program.
    init(_ arguments: [String]) throws(Mistake) {
        guard let word = arguments.first, let command = Command(rawValue: word) else {
            throw Mistake(message: "expected \"generate\" or \"manifest\" first")
        }
        self.command = command
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            switch argument {
            case "--output": output = try Self.value(of: argument, &rest)
            case "--config": configuration = try Self.value(of: argument, &rest)
            case "--module-access": access = try Self.access(try Self.value(of: argument, &rest))
            case "--target" where command == .manifest:
                // The name is for readers of the command; what counts is that a list of its own begins.
                _ = try Self.value(of: argument, &rest)
                targets.append([])
            case _ where argument.hasPrefix("-"): throw Mistake(message: "unknown option \"\(argument)\"")
            default:
                if targets.isEmpty { targets.append([]) }
                targets[targets.count - 1].append(argument)
            }
        }
        guard !output.isEmpty else { throw Mistake(message: "--output FILE is missing") }
        guard targets.contains(where: { !$0.isEmpty }) else { throw Mistake(message: "no document was given") }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(Mistake) -> String {
        guard let value = rest.popFirst() else { throw Mistake(message: "\(option) needs a value") }
        return value
    }

    /// The access level of this name.
    static func access(_ name: String) throws(Mistake) -> SwiftSource.Access {
        guard let access = SwiftSource.Access(rawValue: name) else {
            throw Mistake(message: "the module access is \"internal\" or \"public\", not \"\(name)\"")
        }
        return access
    }
}
