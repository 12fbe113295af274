package import BackstopCore
internal import Foundation

extension HTTP.Request: SecretCarrier {
    package var isSent: Bool { true }

    package var bounded: any SecretCarrier {
        guard let bytes = body.searched else {
            return HTTP.Request(url: url, headers: headers)
        }
        // A copy of the bytes, which does not retain the whole body.
        let limit = SecretCollector.bodyLimit
        return HTTP.Request(
            url: url, headers: headers, body: .data(bytes.count > limit ? Data(Array(bytes.prefix(limit))) : bytes))
    }

    package func addSecrets(to collector: inout SecretCollector) {
        collector.add(url, headers, body.searched, contentType: headers[.contentType])
    }
}

extension HTTP.Response: SecretCarrier {
    package var isSent: Bool { false }

    package var bounded: any SecretCarrier { withoutContent().bounded(to: SecretCollector.bodyLimit) }

    package func addSecrets(to collector: inout SecretCollector) {
        collector.add(url, headers, body, contentType: mediaType)
    }
}

extension SecretCollector {
    fileprivate mutating func add(_ url: URL?, _ headers: HTTP.Headers, _ body: Data?, contentType: String?) {
        if let url { self.url(url.absoluteString) }
        for field in headers { header(field.name.text, field.value) }
        if let body { self.body(body, contentType: contentType) }
    }
}
