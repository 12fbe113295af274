internal import Backstop
internal import BackstopCore
internal import Foundation

/// The key of a stored response.
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

    /// The number of bytes.
    var size: Int {
        let texts = [url, operation, document, partition] + extensions + headers.joined() + credentials.values
        return texts.reduce(variables?.count ?? 0) { $0 + $1.utf8.count }
    }

    /// Hashes all bytes of the variables: `Data` only hashes the first 80, and variables that differ at their end, such
    /// as the page of a long list, would all collide.
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
    /// Only the operation: the rest may be secret.
    var description: String {
        operation
    }

    /// The same for dumps.
    var customMirror: Mirror {
        Mirror(self, children: ["operation": operation], displayStyle: .struct)
    }
}

/// Everything in a request that identifies the caller: all values whose names redaction considers sensitive.
struct Credentials: Hashable, Sendable {
    /// Names and values, sorted, each once.
    let values: [String]

    /// None.
    init() {
        values = []
    }

    /// Finds them in the headers, the query and the user info of the URL.
    ///
    /// - Parameter redaction: The call's redaction, which may know more names than the standard one. If it is off, the
    ///   standard one applies: the caller is still the same.
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

    /// Whether these include all others.
    func contain(_ others: Credentials) -> Bool {
        Set(values).isSuperset(of: others.values)
    }
}
