package import BackstopCore
internal import Foundation

extension RedirectRule {
    /// Sends a request, and those that redirects ask for: the loop of every transport.
    ///
    /// - Parameter exchange: Sends one request and returns its response, even a redirect. It gets the redirect that led
    ///   to the request, for a failure to show; nil for the first request.
    /// - Throws: What the exchange throws, and ``TransportError`` with `.redirects` or `.redirectRefused`.
    package func follow(
        _ request: HTTP.Request, context: CallContext,
        exchange: (_ trail: RedirectTrail, _ redirecting: HTTP.Response?) async throws -> HTTP.Response
    ) async throws -> HTTP.Response {
        var trail = RedirectTrail(request)
        var redirecting: HTTP.Response?
        while true {
            let response: HTTP.Response
            do {
                response = try await exchange(trail, redirecting)
            } catch let error as RequestError
                where trail.count > 0 && [.invalidURL, .invalidHeader].contains(error.code)
            {
                // The server chose the target; a body that cannot be opened is the app's.
                throw TransportError(
                    .redirectRefused, phase: .receiving,
                    detail: "A redirect leads to an unusable target: \(error.detail)", underlying: error)
            }
            guard let redirect = try next(after: response, on: trail, redaction: context.redaction),
                redirect.request.method == trail.request.method || !context.values.bounds.keepsMethod
            else {
                return response
            }
            context.note(
                "redirect",
                "\(response.status) to \(context.redaction.ofNames.url(redirect.request.url.absoluteString))"
                    + redirect.remark)
            trail = redirect
            redirecting = response.bounded(to: 65_536)
        }
    }
}
