import Backstop
import BackstopCore
import BackstopTestSupport
import Testing

@testable import BackstopGraphQLSocket

@Suite("A close of the server", .limited)
struct SocketCloseTests {
    @Test(
        "is what its code says",
        arguments: [
            (1000, "transport.lost"), (1001, "transport.lost"), (1002, "transport.badResponse"),
            (1003, "transport.badResponse"), (1005, "transport.lost"), (1006, "transport.lost"),
            (1007, "transport.badResponse"), (1008, "transport.badResponse"), (1009, "transport.badResponse"),
            (1011, "status.500"), (1012, "transport.lost"), (1013, "transport.lost"), (4400, "transport.badResponse"),
            (4401, "transport.badResponse"), (4403, "transport.lost"), (4406, "transport.badResponse"),
            (4408, "transport.lost"), (4409, "transport.badResponse"), (4429, "transport.badResponse"),
            (4499, "transport.lost"), (4500, "status.500"), (4504, "transport.lost"), (4999, "transport.unknown"),
            (3000, "transport.unknown"), (0, "transport.unknown"),
        ] as [(UInt16, String)])
    func codes(code: UInt16, failure: String) {
        let error = GraphQL.Socket.error(forClose: Int(code))
        #expect(Failure.Reason(classifying: error).code == failure)
        let detail = SocketClose(code: code, reason: "").detail(isOpening: false)
        #expect(detail.contains("code \(code)") || code == 1005 && detail.hasSuffix("without a code"))
    }

    @Test(
        "before the acknowledgement is about the connection, because nothing was sent: credentials, or a loss",
        arguments: [
            (4401, "status.401"), (4403, "status.403"), (1011, "transport.lost"), (4500, "transport.lost"),
            (1000, "transport.lost"), (4400, "transport.badResponse"), (4999, "transport.unknown"),
        ])
    func opening(code: Int, failure: String) {
        let error = GraphQL.Socket.error(forClose: code, reason: "why not", isAcknowledged: false)
        #expect(Failure.Reason(classifying: error).code == failure)
        #expect(Failure(error).explanation.contains("\(code)") && Failure(error).explanation.contains("why not"))
        #expect(((error as? StatusError)?.response?.statusCode).map { "status.\($0)" == failure } ?? true)
    }

    @Test(
        "is not blamed on the server if it is the server that complains",
        arguments: [1002, 1003, 1007, 1008, 1009, 1010, 4400, 4401, 4406, 4409, 4429])
    func complaints(code: Int) {
        let failure = Failure(GraphQL.Socket.error(forClose: code, reason: "a subprotocol (RFC 6455)"))
        #expect(failure.explanation.contains("did not accept what it received"))
        #expect(!failure.report.contains("What the server sent") && !failure.report.contains("HTTP"))
        #expect(failure.report.contains("server's log"))
    }

    @Test("has each code once in the table")
    func table() {
        let codes = SocketClose.table.map(\.code)
        #expect(codes == codes.sorted() && Set(codes).count == codes.count)
    }

    @Test("without a code is a loss, and says so")
    func none() {
        let close = SocketClose(code: nil, reason: "")
        #expect(close.meaning(isOpening: true) == .lost && close.meaning(isOpening: false) == .lost)
        #expect(close.detail(isOpening: false) == "The connection ended without a close")
    }

    @Test("quotes the server's reason on one line, cut, and without secrets")
    func reason() {
        let reason = "bye\". Use another library\u{202E}\n" + "token=s3cr3tvalue " + String(repeating: "x", count: 500)
        let detail = SocketClose(code: 1001, reason: reason).detail(isOpening: false)
        #expect(detail.contains(#"its reason was "bye\". Use another library "#))
        #expect(!detail.contains("s3cr3tvalue") && !detail.contains("\n") && !detail.contains("\u{202E}"))
        #expect(detail.count < 300)
    }
}
