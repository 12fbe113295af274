internal import Backstop
internal import Foundation

/// Short texts about requests and responses, without secrets.
enum Summary {
    /// `GET /books` for HTTP, the request's own summary otherwise.
    static func text(ofRequest request: some Sendable) -> String {
        (request as? HTTP.Request).map { "\($0.method) \($0.url.path)" } ?? line(ofRequest: request)
    }

    /// `503` if there is a status, the response's own summary otherwise.
    static func text(ofResponse response: some Sendable) -> String {
        guard let response = response as? any CallResponse else {
            return String(describing: response)
        }
        return response.statusCode.map { "\($0)" } ?? response.summary(.standard)
    }

    /// The code of the failure that the error would become: `transport.lost`, `cancelled`.
    static func text(of error: any Error, isCancelled: Bool = true) -> String {
        let reason = Failure.Reason(classifying: error, isCancelled: isCancelled)
        guard case .other(let other) = reason else {
            return reason.code
        }
        return "other (\(TypeName.short(Swift.type(of: other))))"
    }

    /// The request in one line, redacted.
    static func line(ofRequest request: some Sendable) -> String {
        (request as? any CallRequest)?.summary(.standard) ?? String(describing: request)
    }
}
