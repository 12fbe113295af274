package import BackstopCore
internal import Foundation

extension HTTP.Request: SecretCarrier {
    package var isSent: Bool { true }

    package var bounded: any SecretCarrier {
        HTTP.Searched(isSent: true, url: url, headers: headers, body: body.data, contentType: headers[.contentType])
    }

    package func addSecrets(to collector: inout SecretCollector) { bounded.addSecrets(to: &collector) }
}

extension HTTP.Response: SecretCarrier {
    package var isSent: Bool { false }

    package var bounded: any SecretCarrier {
        HTTP.Searched(isSent: false, url: url, headers: headers, body: body, contentType: mediaType)
    }

    package func addSecrets(to collector: inout SecretCollector) { bounded.addSecrets(to: &collector) }
}

extension HTTP {
    /// What of a request or a response is searched for secrets.
    fileprivate struct Searched: SecretCarrier {
        let isSent: Bool
        private let url: URL?
        private let headers: Headers
        private let body: Data?
        private let contentType: String?

        init(isSent: Bool, url: URL?, headers: Headers, body: Data?, contentType: String?) {
            self.isSent = isSent
            self.url = url
            self.headers = headers
            // A copy of the bytes, which does not retain the whole body.
            let isLong = body?.count ?? 0 > SecretCollector.bodyLimit
            self.body = isLong ? body.map { Data(Array($0.prefix(SecretCollector.bodyLimit))) } : body
            self.contentType = contentType
        }

        var bounded: any SecretCarrier { self }

        func addSecrets(to collector: inout SecretCollector) {
            if let url { collector.url(url.absoluteString) }
            for field in headers { collector.header(field.name.text, field.value) }
            if let body { collector.body(body, contentType: contentType) }
        }
    }
}
