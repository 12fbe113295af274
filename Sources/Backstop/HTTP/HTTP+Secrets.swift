package import BackstopCore
internal import Foundation

extension HTTP.Request: SecretCarrier {
    package func addSecrets(to collector: inout SecretCollector) {
        collector.url(url.absoluteString)
        for field in headers { collector.header(field.name.text, field.value) }
        if let data = body.data { collector.body(data, contentType: headers[.contentType]) }
    }
}

extension HTTP.Response: SecretCarrier {
    package func addSecrets(to collector: inout SecretCollector) {
        if let url { collector.url(url.absoluteString) }
        for field in headers { collector.header(field.name.text, field.value) }
        collector.body(body, contentType: mediaType)
    }
}
