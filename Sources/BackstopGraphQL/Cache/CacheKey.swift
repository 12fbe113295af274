internal import Backstop
internal import BackstopCore
internal import Foundation

/// What a kept response belongs to.
struct CacheKey: Hashable, Sendable {
    let url: String
    let operation: String
    let document: String
    let variables: Data?
    /// Names and values.
    let extensions: [String]
    let headers: [[String]]
    let credentials: Credentials
    let partition: String

    init(
        _ call: OperationCall, _ request: HTTP.Request, headers: [HTTP.Headers.Name] = [],
        credentials: Credentials = Credentials(), partition: String = ""
    ) {
        url = request.url.absoluteString
        operation = call.document.name
        document = call.document.text ?? call.document.hash ?? ""
        variables = call.variables
        extensions = call.extensions.flatMap { [$0.name, $0.json] }
        self.headers = headers.map { request.headers[values: $0] }
        self.credentials = credentials
        self.partition = partition
    }

    /// How many bytes it has.
    var size: Int {
        let texts = [url, operation, document, partition] + extensions + headers.joined() + credentials.values
        return texts.reduce(variables?.count ?? 0) { $0 + $1.utf8.count }
    }

    /// By all bytes of the variables: `Data` only looks at the first 80, and variables that differ at their end, such
    /// as the page of a long list, would all fall into one place.
    func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(operation)
        hasher.combine(document)
        variables?.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(extensions)
        hasher.combine(headers)
        hasher.combine(credentials)
        hasher.combine(partition)
    }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
    /// The operation: the rest may be secret.
    var description: String {
        operation
    }

    /// The same for dumps.
    var customMirror: Mirror {
        Mirror(self, children: ["operation": operation], displayStyle: .struct)
    }
}

/// Whatever in a request says who asks: everything whose name redaction takes for that of a secret.
struct Credentials: Hashable, Sendable {
    /// Names and values, sorted, each once.
    let values: [String]

    /// None.
    init() {
        values = []
    }

    /// Looks for them in the headers, the query and the user information of the URL.
    ///
    /// - Parameter redaction: The call's, which may know more names than the standard one. One that is switched off
    ///   hides nothing, but changes nothing about who asks.
    init(of request: HTTP.Request, _ redaction: Redaction) {
        func isSecret(_ name: String) -> Bool {
            Redaction.standard.isSensitive(name) || redaction.isSensitive(name)
        }
        var found: Set<String> = []
        for field in request.headers.fields where isSecret(field.name.text) {
            found.insert("\(field.name.text.lowercased()): \(field.value)")
        }
        if let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) {
            for item in parts.queryItems ?? [] where isSecret(item.name) {
                found.insert("?\(item.name)=\(item.value ?? "")")
            }
            if parts.user != nil || parts.password != nil {
                found.insert("@\(parts.percentEncodedUser ?? ""):\(parts.percentEncodedPassword ?? "")")
            }
        }
        values = found.sorted()
    }

    /// Whether these are all that others are.
    func contain(_ others: Credentials) -> Bool {
        Set(values).isSuperset(of: others.values)
    }
}
