internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The meaning of errors outside `NSURLErrorDomain`: on Apple platforms, the session passes on some of the sockets', of
/// CFNetwork's and of TLS as they are, above all after the app was suspended, and over HTTP/2.
enum SystemErrorTable {
    /// The domains in which a session fails.
    static let domains = ["NSPOSIXErrorDomain", "kCFErrorDomainCFNetwork", "NSOSStatusErrorDomain"]

    /// The meaning of a code; nil for one that need not be the network's.
    static func meaning(domain: String, code: Int) -> URLErrorTable.Meaning? {
        switch domain {
        case domains[0]: POSIXErrorCode(rawValue: Int32(truncatingIfNeeded: code)).flatMap { meaning(of: $0) }
        case domains[1]: meaning(ofCFNetwork: code)
        case domains[2]: meaning(ofTLS: code)
        case CocoaError.errorDomain where code == CocoaError.userCancelled.rawValue: .cancelled
        default: nil
        }
    }

    /// https://developer.apple.com/documentation/foundation/posixerror/code, errno(2); the numbers are the system's own.
    private static func meaning(of code: POSIXErrorCode) -> URLErrorTable.Meaning? {
        switch code {
        // 53, as when the app was suspended; 54, 57, 58, 32, 52: closed by either side, or the route was lost
        case .ECONNABORTED, .ECONNRESET, .ENOTCONN, .ESHUTDOWN, .EPIPE, .ENETRESET: .transport(.lost)
        case .ETIMEDOUT: .systemTimeout  // 60: the system has given up asking
        case .ECONNREFUSED: .transport(.refused)  // 61: nothing listens there
        // 64, 65, 51, 49: no route, or no address to connect from
        case .EHOSTDOWN, .EHOSTUNREACH, .ENETUNREACH, .EADDRNOTAVAIL: .transport(.unreachable)
        case .ENETDOWN: .transport(.offline)  // 50: the interface is down
        case .ENOBUFS: .transport(.system)  // 55: the system has no memory for sockets
        case .ECANCELED: .cancelled  // 89
        case .EPROTO: .transport(.badResponse)  // 100: the server broke a rule of HTTP/2
        default: nil
        }
    }

    /// https://developer.apple.com/documentation/cfnetwork/cfnetworkerrors
    private static func meaning(ofCFNetwork code: Int) -> URLErrorTable.Meaning? {
        switch code {
        // The numbers of `NSURLErrorDomain`; on Linux they are an enumeration.
        case ..<0: (URLError.Code(rawValue: code) as URLError.Code?).map { URLErrorTable.meaning(of: $0) }
        case 1, 2: .transport(.dns)  // the name has no address
        case 302: .transport(.lost)  // there was a connection, and it ended
        case 307: .transport(.notAllowed)  // the proxy wants other credentials
        case 100...124, 306, 308...311: .transport(.unreachable)  // the proxy, or the file that names it
        default: nil
        }
    }

    /// https://developer.apple.com/documentation/security/secure-transport-result-codes
    private static func meaning(ofTLS code: Int) -> URLErrorTable.Meaning? {
        switch code {
        case -9805, -9806, -9816: .transport(.lost)  // closed, aborted, without a farewell
        case -9807, -9808, -9815 ... -9812, -9843: .transport(.certificate)  // chain, form, dates, issuer, host
        case -9829 ... -9825, -9842: .transport(.clientCertificate)  // ours is not accepted, or one is asked for
        case -9899 ... -9800: .transport(.tls)
        default: nil
        }
    }
}
