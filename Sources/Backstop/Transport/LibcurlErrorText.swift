internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Interprets the messages of libcurl, on which URLSession is built on Linux: many causes share the codes -1 and -1011
/// there, and only the message distinguishes them. For an unknown message, the table of codes decides.
enum LibcurlErrorText {
    /// Parts of messages, compared without regard to case; the first match counts.
    private static let texts: [(part: String, code: TransportError.Code, phase: TransportError.Phase)] = [
        ("tunnel failed, response 407", .notAllowed, .connecting),  // the proxy wants other credentials
        ("tunnel failed", .unreachable, .connecting),  // the proxy makes no connection to the host
        ("proxy connect aborted", .lost, .connecting),  // the proxy closed
        ("transfer closed with", .truncated, .receiving),  // fewer bytes than announced, or chunks without their end
        ("chunked-encoding", .badResponse, .receiving),  // a chunk's size is not a number
        ("chunked-encoded", .badResponse, .receiving),  // the same in newer words
        ("content unencoding", .badResponse, .receiving),  // not the gzip, deflate, br or zstd that it says it is
        ("content encoding type", .badResponse, .receiving),  // an encoding that was never asked for
        ("bad HTTP content or transfer-encoding", .badResponse, .receiving),  // either of these, by its code alone
        ("alert certificate required", .clientCertificate, .connecting),  // TLS 1.3 and no certificate was sent
        ("peer did not return a certificate", .clientCertificate, .connecting),  // the same in other words
        ("alert bad certificate", .clientCertificate, .connecting),  // the server does not like ours
        ("alert unknown ca", .clientCertificate, .connecting),  // it does not trust who made ours
        ("alert access denied", .clientCertificate, .connecting),  // valid, but not for this
        ("SSL certificate problem", .certificate, .connecting),  // expired, self-signed, unknown issuer
        ("no alternative certificate subject name", .certificate, .connecting),  // a certificate for another host
        ("certificate subject name", .certificate, .connecting),  // the same in older words
        ("failed writing received data", .badResponse, .receiving),  // bytes behind the end of gzip
        ("connection died", .lost, .waiting),  // "..., tried 5 times before giving up": kept ones had all ended
        ("empty reply from server", .lost, .waiting),  // -1011: closed before the first byte of an answer
        ("couldn't connect to server", .unreachable, .connecting),  // no route, or a reset; a refusal is -1004
        ("SSL_connect: connection reset by peer", .lost, .connecting),  // while TLS begins
        ("connection reset by peer", .lost, .unknown),  // later: the server may have the request
        ("broken pipe", .lost, .sending),  // -1: closed while the request went out
        ("SSL_connect: SSL_ERROR_SYSCALL", .lost, .connecting),  // closed while TLS begins
        ("SSL_ERROR_SYSCALL", .lost, .unknown),  // later
        ("unexpected eof while reading", .lost, .unknown),  // closed without the end that TLS asks for
        ("SSL_read", .tls, .unknown),  // a record that is none
        ("SSL_write", .tls, .unknown),  // the same, while the request goes out
        ("HTTP/2 stream", .lost, .unknown),  // ended by the server, "was not closed cleanly: CANCEL"
        ("HTTP2 framing layer", .lost, .unknown),  // the server said goodbye before it took the request
        ("HTTP/2 framing layer", .lost, .unknown),  // it answered, and wants no more of the request
        ("SSL", .tls, .connecting),  // anything else that OpenSSL says
        ("writing header", .badResponse, .receiving),  // a header that Foundation cannot read, such as one not in UTF-8
        ("header without colon", .badResponse, .receiving),  // a header line that is none
        ("byte in header", .badResponse, .receiving),  // a NUL
        ("invalid content-length", .badResponse, .receiving),  // a length that is not a number
        ("headers too large", .tooLarge, .receiving),  // more than libcurl keeps, 300 KB in all
        ("too large response headers", .tooLarge, .receiving),  // the same in newer words, interim responses included
        ("grew larger than allowed", .tooLarge, .receiving),  // the same in the newest
        ("out of memory", .tooLarge, .receiving),  // one header line of more than 100 KB, until libcurl 8.6
        ("bad argument", .badResponse, .receiving),  // a first header line that continues none
        ("weird server reply", .badResponse, .receiving),  // the same since libcurl 8
    ]

    /// Whether a proxy made no tunnel: then the head of a response is the proxy's.
    static func isOfTunnel(_ text: String) -> Bool {
        ["CONNECT tunnel failed", "Proxy CONNECT aborted"].contains(where: text.hasPrefix)
    }

    static func meaning(
        of text: String, code: URLError.Code
    ) -> (code: TransportError.Code, phase: TransportError.Phase)? {
        // The codes shared by several causes on Linux.
        guard code == .unknown || code == .badServerResponse else {
            return nil
        }
        let text = text.lowercased()
        return texts.first { text.contains($0.part.lowercased()) }.map { ($0.code, $0.phase) }
    }
}
