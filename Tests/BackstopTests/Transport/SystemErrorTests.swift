import BackstopTestSupport
import Foundation
import Testing

@testable import Backstop

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What Apple's `URLSession` passes on as it is, in the words of `errno(2)`, of `CFNetworkErrors` and of the result codes
/// of Secure Transport.
@Suite("Errors of a system outside NSURLErrorDomain", .limited)
struct SystemErrorTests {
    @Test(
        "of sockets are as transient as what they mean",
        arguments: [
            (POSIXErrorCode.ECONNABORTED, "transport.lost", true),  // 53: software caused connection abort
            (.ECONNRESET, "transport.lost", true),  // 54: connection reset by peer
            (.ENOTCONN, "transport.lost", true),  // 57: socket is not connected
            (.ESHUTDOWN, "transport.lost", true), (.EPIPE, "transport.lost", true),
            (.ENETRESET, "transport.lost", true),
            (.ETIMEDOUT, "timeout.attempt", true),  // 60: operation timed out
            (.ECONNREFUSED, "transport.refused", true),  // 61: connection refused
            (.EPROTO, "transport.badResponse", false),  // 100: protocol error
            (.ENETDOWN, "transport.offline", true), (.ENETUNREACH, "transport.unreachable", true),
            (.EHOSTDOWN, "transport.unreachable", true), (.EHOSTUNREACH, "transport.unreachable", true),
            (.EADDRNOTAVAIL, "transport.unreachable", true), (.ENOBUFS, "transport.system", false),
        ])
    func sockets(code: POSIXErrorCode, expected: String, isTransient: Bool) {
        expect("NSPOSIXErrorDomain", Int(code.rawValue), expected, isTransient: isTransient)
    }

    @Test(
        "of CFNetwork become what they mean",
        arguments: [
            (1, "transport.dns"), (2, "transport.dns"),  // kCFHostErrorHostNotFound, ...Unknown
            (110, "transport.unreachable"),  // kCFSOCKS4ErrorRequestFailed
            (302, "transport.lost"),  // kCFErrorHTTPConnectionLost
            (306, "transport.unreachable"),  // kCFErrorHTTPProxyConnectionFailure
            (307, "transport.notAllowed"),  // kCFErrorHTTPBadProxyCredentials
            (310, "transport.unreachable"),  // kCFErrorHTTPSProxyConnectionFailure
            (-1001, "timeout.attempt"), (-1003, "transport.dns"),  // kCFURLErrorTimedOut, ...CannotFindHost
            (-1005, "transport.lost"), (-1009, "transport.offline"),  // ...ConnectionLost, ...NotConnected
            (-999, "cancelled"),  // kCFURLErrorCancelled
        ])
    func network(code: Int, expected: String) {
        expect("kCFErrorDomainCFNetwork", code, expected)
    }

    @Test(
        "of TLS become what they mean",
        arguments: [
            (-9800, "transport.tls"), (-9801, "transport.tls"),  // errSSLProtocol, errSSLNegotiation
            (-9805, "transport.lost"), (-9806, "transport.lost"),  // errSSLClosedGraceful, errSSLClosedAbort
            (-9816, "transport.lost"),  // errSSLClosedNoNotify
            (-9807, "transport.certificate"),
            (-9808, "transport.certificate"),  // errSSLXCertChainInvalid, ...BadCert
            (-9812, "transport.certificate"),
            (-9813, "transport.certificate"),  // errSSLUnknownRootCert, ...NoRootCert
            (-9814, "transport.certificate"),
            (-9815, "transport.certificate"),  // errSSLCertExpired, ...NotYetValid
            (-9843, "transport.certificate"),  // errSSLHostNameMismatch
            (-9825, "transport.clientCertificate"),
            (-9829, "transport.clientCertificate"),  // errSSLPeerBadCert, ...Unknown
            (-9836, "transport.tls"),  // errSSLPeerProtocolVersion
        ])
    func security(code: Int, expected: String) {
        expect("NSOSStatusErrorDomain", code, expected)
    }

    @Test("that say nothing about a network stay what they are, unless the session reports them")
    func others() {
        for error in [
            NSError(domain: "NSPOSIXErrorDomain", code: Int(POSIXErrorCode.ENOENT.rawValue)),
            NSError(domain: "NSOSStatusErrorDomain", code: -50), NSError(domain: "kCFErrorDomainCFNetwork", code: 9999),
        ] {
            #expect((HTTP.Request.recognized(error) as NSError) === error)
            let ofSession = URLErrorMapping.error(for: error, after: ExchangeProgress(), timeout: nil)
            #expect((ofSession as? TransportError)?.code == .unknown)
        }
        let own = NSError(domain: "com.example", code: 54)
        #expect(URLErrorMapping.error(for: own, after: ExchangeProgress(), timeout: nil) == nil)
    }

    @Test("are recognized in a subclass of NSError, as CFNetwork makes it")
    func subclass() {
        final class Bridged: NSError, @unchecked Sendable {}
        let error = Bridged(domain: "NSPOSIXErrorDomain", code: Int(POSIXErrorCode.ECONNABORTED.rawValue))
        #expect(Failure.Reason(classifying: HTTP.Request.recognized(error)).code == "transport.lost")
    }

    @Test("say how far the exchange had come")
    func phases() {
        let error = NSError(domain: "NSPOSIXErrorDomain", code: Int(POSIXErrorCode.ECONNABORTED.rawValue))
        for (hasBegun, phase) in [(false, TransportError.Phase.connecting), (true, .waiting)] {
            var progress = ExchangeProgress()
            progress.hasBegun = hasBegun
            let mapped = URLErrorMapping.error(for: error, after: progress, timeout: nil) as? TransportError
            #expect(mapped?.phase == phase)
            #expect((mapped?.underlying as? NSError) === error)
        }
    }

    @Test(
        "name the reason why a network that is there may not be used",
        arguments: [(0, "cellular"), (1, "expensive"), (2, "constrained"), (9, "notAllowed")])
    func unavailable(reason: Int, name: String) throws {
        let code = try #require(TransportError.Code.builtIn.first { $0.name == name })
        #expect(URLErrorTable.meaning(ofUnavailable: reason) == .transport(code, .connecting))
        #expect(!Failure(TransportError(code)).isOffline)
    }

    @Test(
        "that mean that the device has no network now are an offline device", arguments: [-1009, -1018, -1019, -1020])
    func offline(code: Int) {
        expect(NSURLErrorDomain, code, "transport.offline", isTransient: true)
    }

    private func expect(_ domain: String, _ code: Int, _ expected: String, isTransient: Bool? = nil) {
        let known = HTTP.Request.recognized(NSError(domain: domain, code: code))
        #expect(Failure.Reason(classifying: known, isCancelled: true).code == expected)
        if let isTransient {
            #expect(Failure(known).isTransient == isTransient)
        }
    }
}
