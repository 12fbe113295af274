internal import Backstop
internal import BackstopCore

/// The request headers that choose a response (RFC 9110, 12.5.5).
struct Vary {
    let names: Set<HTTP.Headers.Name>

    /// - Parameter response: The response that names them. The transport undoes encodings, so they do not matter.
    init(_ response: HTTP.Response) {
        names = Set(response.headers.list("Vary").map { HTTP.Headers.Name($0) }).subtracting(["Accept-Encoding"])
    }

    /// Why the response fits no other request, or the one it fits is unknown.
    func obstacle(to request: HTTP.Request, _ context: CallContext) -> String? {
        guard !names.contains("*") else {
            return "Vary is *"
        }
        let sent = context.sentRequests.compactMap { $0 as? HTTP.Request }
        let added = names.first { name in
            // Who is meant by credentials that are added further inside is up to the partition.
            ![.authorization, "Proxy-Authorization", .cookie, "X-Api-Key", "X-Auth-Token"].contains(name)
                && sent.contains { $0.headers[values: name] != request.headers[values: name] }
        }
        return added.map { "Vary names \($0.text), which was added or changed further inside" }
    }
}

extension HTTP.Headers {
    /// The elements of a list, in lower case (RFC 9110, 5.6.1).
    func list(_ name: Name) -> [String] {
        self[values: name].flatMap { $0.split(separator: ",") }.map { element in
            element.lowercased().filter { $0 != " " && $0 != "\t" }
        }
    }
}
