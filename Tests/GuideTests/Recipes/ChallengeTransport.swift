import Backstop
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport with its own `URLSession`, whose challenges a closure answers.
final class ChallengeTransport: NSObject, HTTP.Transport, URLSessionTaskDelegate {
    typealias Answer = (URLSession.AuthChallengeDisposition, URLCredential?)

    private let session = URLSession(configuration: URLSessionTransport.standardConfiguration)
    private let answer: @Sendable (URLAuthenticationChallenge) -> Answer

    init(answer: @escaping @Sendable (URLAuthenticationChallenge) -> Answer) {
        self.answer = answer
    }

    func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
        try Task.checkCancellation()
        if let refused = request.headers.refused { throw refused }
        guard let body = request.body.data else {
            throw RequestError(.bodyUnreadable, "This transport only sends bodies from memory")
        }
        var outgoing = URLRequest(url: request.url)
        outgoing.httpMethod = request.method.name
        outgoing.httpBody = body.isEmpty ? nil : body
        for field in request.headers { outgoing.addValue(field.value, forHTTPHeaderField: field.name.text) }
        do {
            let (data, response) = try await session.data(for: outgoing, delegate: self)
            let head = response as? HTTPURLResponse
            var headers = HTTP.Headers()
            for (name, value) in head?.allHeaderFields ?? [:] { try headers.add("\(value)", for: .init("\(name)")) }
            return HTTP.Response(status: head?.statusCode ?? 0, headers: headers, body: data, url: response.url)
        } catch let error as URLError where error.code == .cancelled && !Task.isCancelled {
            throw TransportError(
                .certificate, phase: .connecting, detail: "The app refused the server's certificate", underlying: error)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let (disposition, credential) = answer(challenge)
        completionHandler(disposition, credential)
    }

    /// Returns a redirect as the response: following it would send the credentials along.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

#if canImport(Security)
    import CryptoKit
    import Security

    extension ChallengeTransport {
        /// Trusts servers whose chain has one of these certificates, and presents a certificate of the app.
        ///
        /// - Parameters:
        /// - pins: The SHA-256 of certificates, in DER. Pin at least two, or the next renewal locks the app out.
        ///   - identity: The app's certificate with its key, from the keychain; nil for none.
        convenience init(pins: Set<Data>, identity: URLCredential? = nil) {
            self.init { challenge in
                let space = challenge.protectionSpace
                if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
                    return identity.map { (.useCredential, $0) } ?? (.performDefaultHandling, nil)
                }
                guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust, let trust = space.serverTrust
                else {
                    return (.performDefaultHandling, nil)
                }
                let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
                let isPinned = chain.contains { certificate in
                    pins.contains(Data(SHA256.hash(data: SecCertificateCopyData(certificate) as Data)))
                }
                // A pin does not replace the system's own checks: host, dates, revocation.
                guard isPinned, SecTrustEvaluateWithError(trust, nil) else {
                    return (.cancelAuthenticationChallenge, nil)
                }
                return (.useCredential, URLCredential(trust: trust))
            }
        }
    }
#endif
