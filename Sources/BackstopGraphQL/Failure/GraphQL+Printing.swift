internal import Backstop
internal import BackstopCore

// What `print` and `dump` show of values that may contain secrets: the server's messages, literals in a document,
// variables.

extension GraphQL.Error: CustomReflectable {
    /// The ``description`` and the names of the extensions.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["error": description, "extensions": extensions.members.keys.sorted()],
            displayStyle: .struct)
    }
}

extension GraphQL.Extensions: CustomStringConvertible, CustomReflectable {
    /// The names of the members; not their values.
    public var description: String {
        isEmpty ? "no extensions" : "extensions " + members.keys.sorted().joined(separator: ", ")
    }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["members": members.keys.sorted()], displayStyle: .struct)
    }
}

extension GraphQLFailure: CustomReflectable {
    /// The code and the ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["code": failureCode, "failure": description], displayStyle: .struct)
    }
}

extension GraphQL.Document: CustomStringConvertible, CustomReflectable {
    /// Kind and name; not the text, whose literals may be secrets.
    public var description: String {
        "\(kind)" + (name.isEmpty ? "" : " \(name)")
    }

    /// The same with the identifier, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["document": description, "hash": hash as Any], displayStyle: .struct)
    }
}
