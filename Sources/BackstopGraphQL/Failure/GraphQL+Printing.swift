internal import Backstop
internal import BackstopCore

// What `print` and `dump` show of values that may contain secrets: the server's messages, literals in a document,
// variables.

extension GraphQL.Error: CustomReflectable {
    /// The ``description`` and the names of extensions and other members.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "error": description, "extensions": extensions.members.keys.sorted(),
                "otherMembers": otherMembers.members.keys.sorted(),
            ], displayStyle: .struct)
    }
}

extension GraphQL.Extensions: CustomStringConvertible, CustomReflectable {
    /// The names of the members; not their values.
    public var description: String {
        isEmpty ? "no extensions" : "extensions " + names
    }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["members": names], displayStyle: .struct)
    }

    /// The names on one line; the service chose them.
    private var names: String {
        let text = members.keys.sorted().prefix(100).joined(separator: ", ")
        return Redaction.shown(text, upTo: 1000, of: 4000)
    }
}

extension GraphQL.Result: CustomStringConvertible, CustomReflectable {
    /// The data, the errors with secrets redacted, and the names of the extensions.
    public var description: String {
        "data \(data), errors \(errors), \(extensions), response \(response)"
    }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "data": data, "errors": errors, "extensions": extensions, "response": response, "source": source,
            ], displayStyle: .struct)
    }
}

extension GraphQL.Options: CustomStringConvertible, CustomReflectable {
    /// Path and cache policy, secrets redacted.
    public var description: String {
        "GraphQL options, path \"\(shownPath)\", cache policy \(cachePolicy)"
    }

    /// All options, secrets redacted, for dumps.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "path": shownPath, "failsOnPartialData": failsOnPartialData, "usesGETForQueries": usesGETForQueries,
                "isAPQInterceptorEnabled": isAPQInterceptorEnabled, "isAPQClientEnabled": isAPQClientEnabled,
                "usesGETForHashedQueries": usesGETForHashedQueries, "headers": headers, "cachePolicy": cachePolicy,
            ], displayStyle: .struct)
    }

    private var shownPath: String {
        Redaction.standard.url(path)
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
