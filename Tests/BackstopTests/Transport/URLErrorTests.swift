import Foundation
import Testing

@testable import Backstop

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Errors of URLSession")
struct URLErrorTests {
    /// Every code, and the stable name of the failure that it becomes.
    static let codes: [(URLError.Code, String)] = [
        (.unknown, "transport.unknown"), (.cancelled, "cancelled"), (.badURL, "request.invalidURL"),
        (.timedOut, "timeout.attempt"), (.unsupportedURL, "request.invalidURL"), (.cannotFindHost, "transport.dns"),
        (.cannotConnectToHost, "transport.refused"), (.networkConnectionLost, "transport.lost"),
        (.dnsLookupFailed, "transport.dns"), (.httpTooManyRedirects, "transport.redirects"),
        (.resourceUnavailable, "transport.unreachable"), (.notConnectedToInternet, "transport.offline"),
        (.redirectToNonExistentLocation, "transport.redirectRefused"), (.badServerResponse, "transport.badResponse"),
        (.userCancelledAuthentication, "transport.notAllowed"), (.userAuthenticationRequired, "transport.notAllowed"),
        (.zeroByteResource, "transport.truncated"), (.cannotDecodeRawData, "transport.badResponse"),
        (.cannotDecodeContentData, "transport.badResponse"), (.cannotParseResponse, "transport.badResponse"),
        (.internationalRoamingOff, "transport.notAllowed"), (.callIsActive, "transport.notAllowed"),
        (.dataNotAllowed, "transport.notAllowed"), (.requestBodyStreamExhausted, "request.bodyUnreadable"),
        (.appTransportSecurityRequiresSecureConnection, "transport.notAllowed"),
        (.fileDoesNotExist, "request.bodyUnreadable"), (.fileIsDirectory, "request.bodyUnreadable"),
        (.noPermissionsToReadFile, "request.bodyUnreadable"), (.dataLengthExceedsMaximum, "transport.tooLarge"),
        (.secureConnectionFailed, "transport.tls"), (.serverCertificateHasBadDate, "transport.certificate"),
        (.serverCertificateUntrusted, "transport.certificate"),
        (.serverCertificateHasUnknownRoot, "transport.certificate"),
        (.serverCertificateNotYetValid, "transport.certificate"),
        (.clientCertificateRejected, "transport.clientCertificate"),
        (.clientCertificateRequired, "transport.clientCertificate"), (.cannotLoadFromNetwork, "rejected.cacheMiss"),
        (.cannotCreateFile, "transport.system"), (.cannotOpenFile, "transport.system"),
        (.cannotCloseFile, "transport.system"), (.cannotWriteToFile, "transport.system"),
        (.cannotRemoveFile, "transport.system"), (.cannotMoveFile, "transport.system"),
        (.downloadDecodingFailedMidStream, "transport.badResponse"),
        (.downloadDecodingFailedToComplete, "transport.badResponse"),
        (.backgroundSessionRequiresSharedContainer, "transport.system"),
        (.backgroundSessionInUseByAnotherProcess, "transport.system"),
        (.backgroundSessionWasDisconnected, "transport.system"),
    ]

    @Test("every code becomes the failure that fits it", arguments: codes)
    func everyCode(code: URLError.Code, expected: String) {
        #expect(Failure.Reason(classifying: URLError(code), isCancelled: true).code == expected)
    }

    @Test("the list above has every code that there is")
    func listIsComplete() {
        #expect(Self.codes.count == 48)
        #expect(Set(Self.codes.map(\.0.rawValue)).count == 48)
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
            ("Error while processing content unencoding: incorrect header check", .badResponse),
            ("Invalid Content-Length: value", .badResponse),
            ("Something new", .unknown),
        ])
    func libcurlTexts(text: String, expected: TransportError.Code) throws {
        let error = try #require(mapped(.unknown, text: text))
        #expect(error.code == expected)
        #expect(error.detail == text)
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
