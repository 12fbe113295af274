package import BackstopCore
internal import Foundation

extension HTTP.Request: SecretCarrier {
    package var isSent: Bool { true }

    package var bounded: any SecretCarrier {
        HTTP.Searched(isSent: true, url: url, headers: headers, body: body.searched, contentType: headers[.contentType])
            .bounded
    }

    package func addSecrets(to collector: inout SecretCollector) { bounded.addSecrets(to: &collector) }
}

extension HTTP.Response: SecretCarrier {
    package var isSent: Bool { false }

    package var bounded: any SecretCarrier {
        HTTP.Searched(isSent: false, url: url, headers: headers, body: body, contentType: mediaType).bounded
    }

    package func addSecrets(to collector: inout SecretCollector) { bounded.addSecrets(to: &collector) }
}

extension HTTP {
    /// What of a request or a response is searched for secrets.
    fileprivate struct Searched: SecretCarrier {
        let isSent: Bool
        let url: URL?
        let headers: Headers
        var body: Data?
        let contentType: String?

        var bounded: any SecretCarrier {
            guard let body, body.count > SecretCollector.bodyLimit else {
                return self
            }
            // A copy of the bytes, which does not retain the whole body.
            var copy = self
            copy.body = Data(Array(body.prefix(SecretCollector.bodyLimit)))
            return copy
        }

        func addSecrets(to collector: inout SecretCollector) {
            if let url { collector.url(url.absoluteString) }
            for field in headers { collector.header(field.name.text, field.value) }
            if let body { collector.body(body, contentType: contentType) }
        }
    }
}
