internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The meaning of each `URLError.Code`, judging by the code alone.
enum URLErrorTable {
    enum Meaning: Equatable {
        case cancelled
        case timeout
        /// A limit of the system's, whose length nobody knows.
        case systemTimeout
        case cacheMiss
        case request(RequestError.Code)
        case transport(TransportError.Code, TransportError.Phase)

        /// In the usual phase of the code.
        static func transport(_ code: TransportError.Code) -> Meaning {
            .transport(code, code.usualPhase)
        }
    }

    /// The meaning of the system's reason why the network that is there may not be used
    /// (https://developer.apple.com/documentation/foundation/urlerror/networkunavailablereason-swift.enum).
    static func meaning(ofUnavailable reason: Int) -> Meaning {
        switch reason {
        case 0: .transport(.cellular)
        case 1: .transport(.expensive)
        case 2: .transport(.constrained)
        default: .transport(.notAllowed)  // newer than this list
        }
    }

    /// The meaning of a code; `.unknown` for one not in the list.
    static func meaning(of code: URLError.Code) -> Meaning {
        switch code {
        case .unknown: .transport(.unknown)  // -1: any other error
        case .cancelled: .cancelled  // -999: the task was cancelled
        case .badURL: .request(.invalidURL)  // -1000: it could not be read as a URL
        case .timedOut: .timeout  // -1001: no byte within the limit
        case .unsupportedURL: .request(.invalidURL)  // -1002: a scheme that the session does not speak
        case .cannotFindHost: .transport(.dns)  // -1003: the name has no address
        case .cannotConnectToHost: .transport(.refused)  // -1004: nothing listens there
        case .networkConnectionLost: .transport(.lost)  // -1005: there was a connection, and it ended
        case .dnsLookupFailed: .transport(.dns)  // -1006: the resolver did not answer
        case .httpTooManyRedirects: .transport(.redirects)  // -1007: a loop, or too many
        case .resourceUnavailable: .transport(.unreachable)  // -1008: it could not be retrieved
        case .notConnectedToInternet: .transport(.offline)  // -1009: no network
        case .redirectToNonExistentLocation: .transport(.redirectRefused)  // -1010: it leads nowhere
        case .badServerResponse: .transport(.badResponse)  // -1011: not HTTP
        case .userCancelledAuthentication: .transport(.notAllowed, .waiting)  // -1012: a person closed the prompt
        case .userAuthenticationRequired: .transport(.notAllowed, .waiting)  // -1013: credentials are asked for
        case .zeroByteResource: .transport(.truncated)  // -1014: a length was announced, and nothing came
        case .cannotDecodeRawData: .transport(.badResponse)  // -1015: the encoding of the content is broken
        case .cannotDecodeContentData: .transport(.badResponse)  // -1016: it is in an unknown encoding
        case .cannotParseResponse: .transport(.badResponse)  // -1017: the head could not be read
        case .internationalRoamingOff: .transport(.offline)  // -1018: the setting for roaming is off
        case .callIsActive: .transport(.offline)  // -1019: a phone call takes the line
        case .dataNotAllowed: .transport(.offline)  // -1020: mobile data is off
        case .requestBodyStreamExhausted: .request(.bodyUnreadable)  // -1021: the stream could not be had again
        case .appTransportSecurityRequiresSecureConnection: .transport(.notAllowed)  // -1022: no http
        case .fileDoesNotExist: .request(.bodyUnreadable)  // -1100: the file to upload is missing
        case .fileIsDirectory: .request(.bodyUnreadable)  // -1101: and a directory has no bytes
        case .noPermissionsToReadFile: .request(.bodyUnreadable)  // -1102: the file to upload may not be read
        case .dataLengthExceedsMaximum: .transport(.tooLarge)  // -1103: more than the system takes
        case .secureConnectionFailed: .transport(.tls)  // -1200: no version or cipher in common
        case .serverCertificateHasBadDate: .transport(.certificate)  // -1201: it has expired
        case .serverCertificateUntrusted: .transport(.certificate)  // -1202: wrong host, no trust
        case .serverCertificateHasUnknownRoot: .transport(.certificate)  // -1203: the issuer is not known
        case .serverCertificateNotYetValid: .transport(.certificate)  // -1204: or the clock here is wrong
        case .clientCertificateRejected: .transport(.clientCertificate)  // -1205: ours is not accepted
        case .clientCertificateRequired: .transport(.clientCertificate)  // -1206: one has to be chosen
        case .cannotLoadFromNetwork: .cacheMiss  // -2000: only the cache was allowed
        case .cannotCreateFile: .transport(.system, .receiving)  // -3000: a download to disk
        case .cannotOpenFile: .transport(.system, .receiving)  // -3001: a download to disk
        case .cannotCloseFile: .transport(.system, .receiving)  // -3002: a download to disk
        case .cannotWriteToFile: .transport(.system, .receiving)  // -3003: the disk is full, or may not be written
        case .cannotRemoveFile: .transport(.system, .receiving)  // -3004: a download to disk
        case .cannotMoveFile: .transport(.system, .receiving)  // -3005: a download to disk
        case .downloadDecodingFailedMidStream: .transport(.badResponse)  // -3006: its encoding is broken
        case .downloadDecodingFailedToComplete: .transport(.badResponse)  // -3007: its encoding ends early
        case .backgroundSessionRequiresSharedContainer: .transport(.system)  // -995: the app's settings
        case .backgroundSessionInUseByAnotherProcess: .transport(.system)  // -996: another process has it
        case .backgroundSessionWasDisconnected: .transport(.system, .unknown)  // -997: the app was suspended
        #if !canImport(FoundationNetworking)
            default: .transport(.unknown)  // newer than this list; on Linux the codes are an enumeration
        #endif
        }
    }
}
