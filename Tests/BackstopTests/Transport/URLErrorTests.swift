import BackstopTestSupport
import Foundation
import Testing

@testable import Backstop

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Errors of URLSession", .limited)
struct URLErrorTests {
    /// The failures as the guide has them, each with the codes that become it.
    private static let columns = ["failure", "`URLError.Code`"]

    #if canImport(FoundationNetworking)
        @Test(
            "a host that URLSession refuses on Linux is called an IPv6 address only if it is one",
            arguments: [("http://[::1]:80/", true), ("http://127.1/", false)])
        func host(address: String, isIPv6: Bool) throws {
            let url = try #require(URL(string: address))
            let error = URLError(.badURL, userInfo: [NSURLErrorFailingURLErrorKey: url])
            let mapped = URLErrorMapping.error(for: error, after: nil, timeout: nil) as? RequestError
            #expect(mapped?.code == .invalidURL)
            #expect(mapped?.detail.contains("IPv6") == isIPv6)
        }
    #endif

    @Test("every code that there is becomes the failure that the guide says")
    func everyCode() throws {
        func failure(_ code: URLError.Code) -> String {
            "`\(Failure.Reason(classifying: URLError(code), isCancelled: true).code)`"
        }
        #if canImport(FoundationNetworking)
            // Here the codes are an enumeration, so that each of them can be found and named.
            let codes = (-5000...0).reversed().compactMap(URLError.Code.init(rawValue:))
            var rows: [[String]] = []
            for code in codes {
                let name = "`.\(code)` \(code.rawValue)"
                if let index = rows.firstIndex(where: { $0[0] == failure(code) }) {
                    rows[index][1] += ", \(name)"
                } else {
                    rows.append([failure(code), name])
                }
            }
            try Guide("Docs/Failures.md").expect(Self.columns, under: "What a `URLError` becomes", toBe: rows)
            #expect(codes.count >= 48)
        #else
            for row in try Guide("Docs/Failures.md").table(Self.columns, under: "What a `URLError` becomes") {
                for number in row[1].matches(of: /-\d+/) {
                    let code = URLError.Code(rawValue: try #require(Int(number.output)))
                    #expect(failure(code) == row[0], "\(number.output)")
                }
            }
        #endif
    }

    @Test("the error of the system stays readable under Backstop's")
    func underlyingIsKept() throws {
        let error = try #require(mapped(.notConnectedToInternet))
        #expect((error.underlying as? URLError)?.code == .notConnectedToInternet)
        #expect(error.phase == .connecting)
        #expect(error.bytesReceived == nil)
    }

    @Test("an unknown error after fewer bytes than announced is a truncated response")
    func shortBody() throws {
        let progress = try progress(headers: ["Content-Length": "500"], received: 3)
        let error = try #require(mapped(.unknown, after: progress))
        #expect(error.code == .truncated)
        #expect(error.phase == .receiving)
        #expect(error.bytesReceived == 3)
    }

    @Test("an unknown error after all announced bytes is not a truncated response")
    func wholeBody() throws {
        let error = try #require(mapped(.unknown, after: try progress(headers: ["Content-Length": "3"], received: 3)))
        #expect(error.code == .unknown)
    }

    @Test("an announced length says nothing about decoded bytes")
    func decodedBody() throws {
        let headers = ["Content-Length": "500", "Content-Encoding": "gzip"]
        let error = try #require(mapped(.unknown, after: try progress(headers: headers, received: 3)))
        #expect(error.code == .unknown)
    }

    @Test(
        "the texts of libcurl tell causes apart that share a code",
        arguments: [
            ("transfer closed with outstanding read data remaining", TransportError.Code.truncated),
            ("SSL certificate problem: certificate has expired", .certificate),
            ("SSL certificate problem: self-signed certificate", .certificate),
            ("SSL: no alternative certificate subject name matches target host name 'a'", .certificate),
            ("OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required", .clientCertificate),
            ("OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", .tls),
            ("Recv failure: Connection reset by peer", .lost),
            ("Illegal or missing hexadecimal sequence in chunked-encoding", .badResponse),
            ("Failed reading the chunked-encoded stream", .badResponse),
            ("Failed to connect to 127.0.0.1 port 48741 after 0 ms: Couldn't connect to server", .unreachable),
            ("Error while processing content unencoding: incorrect header check", .badResponse),
            ("Invalid Content-Length: value", .badResponse),
            ("Unrecognized or bad HTTP Content or Transfer-Encoding", .badResponse),
            ("Failed writing received data to disk/application", .badResponse),
            ("Connection died, tried 5 times before giving up", .lost),
            ("TLS alert: tlsv1 alert unknown ca", .clientCertificate),
            ("OpenSSL SSL_read: error:0A000419:SSL routines::tlsv1 alert access denied", .clientCertificate),
            ("Error in the HTTP2 framing layer", .lost), ("Stream error in the HTTP/2 framing layer", .lost),
            ("CONNECT tunnel failed, response 403", .unreachable), ("Proxy CONNECT aborted", .lost),
            ("CONNECT tunnel failed, response 407", .notAllowed), ("Something new", .unknown),
        ])
    func libcurlTexts(text: String, expected: TransportError.Code) throws {
        let error = try #require(mapped(.unknown, text: text))
        #expect(error.code == expected)
        #expect(error.detail == text)
    }

    @Test(
        "only what ends while TLS begins says that nothing was sent, also after a body of which no byte is counted",
        arguments: [
            ("OpenSSL SSL_connect: Connection reset by peer in connection to a:443", .lost, .connecting),
            ("OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to a:443", .lost, .connecting),
            ("OpenSSL SSL_read: Connection reset by peer, errno 104", .lost, .unknown),
            ("OpenSSL SSL_read: SSL_ERROR_SYSCALL, errno 104", .lost, .unknown),
            ("OpenSSL SSL_write: SSL_ERROR_SYSCALL, errno 104", .lost, .unknown),
            ("Recv failure: Connection reset by peer", .lost, .unknown),
            ("OpenSSL SSL_read: error:0A000119:SSL routines::decryption failed or bad record mac", .tls, .unknown),
            ("OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", .tls, .connecting),
            ("HTTP/2 stream 1 was not closed cleanly: CANCEL (err 8)", .lost, .unknown),
            ("HTTP/2 stream 1 was closed cleanly, but before getting all response header fields", .lost, .unknown),
        ] as [(String, TransportError.Code, TransportError.Phase)])
    func libcurlPhases(text: String, code: TransportError.Code, phase: TransportError.Phase) throws {
        var progress = ExchangeProgress()
        progress.hasContent = true
        progress.bytesToSend = 5
        for progress in [nil, ExchangeProgress(), progress] {
            let error = try #require(mapped(.unknown, text: text, after: progress))
            #expect(error.code == code)
            #expect(error.phase == phase)
        }
    }

    @Test("a connection closed before the first byte of an answer is lost, whatever Linux calls it")
    func emptyReply() throws {
        let error = try #require(mapped(.badServerResponse, text: "Empty reply from server"))
        #expect(error.code == .lost)
        #expect(error.phase == .waiting)
    }

    @Test("an unsupported URL after a request went out is an answer that is not HTTP")
    func notHTTP() throws {
        let text = "Received HTTP/0.9 when not allowed"
        #expect(try #require(mapped(.unsupportedURL, text: text, after: ExchangeProgress())).code == .badResponse)
        #expect(mapped(.unsupportedURL, text: text) == nil)
    }

    @Test("a connection lost while the body went out says so")
    func lostWhileSending() throws {
        var progress = ExchangeProgress()
        progress.hasContent = true
        progress.bytesSent = 10
        progress.bytesToSend = 100
        #expect(try #require(mapped(.networkConnectionLost, after: progress)).phase == .sending)
        progress.bytesSent = 100
        #expect(try #require(mapped(.networkConnectionLost, after: progress)).phase == .waiting)
    }

    @Test("a timeout tells how long was waited")
    func timeout() {
        let error = URLErrorMapping.error(for: URLError(.timedOut), after: ExchangeProgress(), timeout: .seconds(7))
        #expect(error as? TimeoutError == TimeoutError(.attempt, after: .seconds(7)))
    }

    @Test("secrets in the system's text are hidden")
    func textIsRedacted() throws {
        let text = "Could not reach https://api.example.com/?access_token=abc123secret"
        let error = try #require(mapped(.unknown, text: text))
        #expect(!error.detail.contains("abc123secret"))
    }

    private func mapped(
        _ code: URLError.Code, text: String? = nil, after progress: ExchangeProgress? = nil
    ) -> TransportError? {
        let error = URLError(code, userInfo: text.map { [NSLocalizedDescriptionKey: $0] } ?? [:])
        return URLErrorMapping.error(for: error, after: progress, timeout: nil) as? TransportError
    }

    private func progress(headers: [String: String], received: Int64) throws -> ExchangeProgress {
        let url = try #require(URL(string: "https://api.example.com/"))
        var progress = ExchangeProgress()
        progress.head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: headers)
        progress.bytesReceived = received
        return progress
    }
}
