import Backstop
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct PlainTransport: HTTP.Transport {
    func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
        try Task.checkCancellation()
        var plain = URLRequest(url: request.url)
        plain.httpMethod = request.method.name
        for field in request.headers {
            plain.addValue(field.value, forHTTPHeaderField: field.name.text)
        }
        if let type = request.impliedContentType { plain.setValue(type, forHTTPHeaderField: "Content-Type") }
        if !request.body.isNone {
            var content = Data()
            for try await chunk in try await request.body.open() { content += chunk }  // files and streams too
            plain.httpBody = content
        }
        do {
            let (data, answer) = try await URLSession.shared.data(for: plain)
            let head = answer as? HTTPURLResponse
            var headers = HTTP.Headers()
            for (name, value) in head?.allHeaderFields ?? [:] {
                try headers.add("\(value)", for: HTTP.Headers.Name("\(name)"))
            }
            return HTTP.Response(status: head?.statusCode ?? 0, headers: headers, body: data, url: answer.url)
        } catch {
            try Task.checkCancellation()  // a cancelled call has not lost its connection
            throw error  // becomes a `TransportError` by its code
        }
    }
}
