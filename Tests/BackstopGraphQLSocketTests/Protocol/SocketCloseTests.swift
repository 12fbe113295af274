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
            (4401, "transport.badResponse"), (4403, "status.403"), (4406, "transport.badResponse"),
            (4408, "transport.lost"), (4409, "transport.badResponse"), (4429, "transport.badResponse"),
            (4499, "transport.lost"), (4500, "status.500"), (4504, "transport.lost"), (4999, "transport.unknown"),
            (3000, "transport.unknown"), (0, "transport.unknown"),
        ] as [(UInt16, String)])
    func codes(code: UInt16, failure: String) {
        let close = SocketClose(code: code, reason: "")
        #expect(Failure.Reason(classifying: close.error(in: .waiting)).code == failure)
        #expect(close.detail.contains("code \(code)"))
    }

    @Test("has each code once in the table")
    func table() {
        let codes = SocketClose.table.map(\.code)
        #expect(codes == codes.sorted() && Set(codes).count == codes.count)
    }

    @Test("without a code is a loss, and says so")
    func none() {
        let close = SocketClose(code: nil, reason: "")
        #expect(close.meaning == .lost)
        #expect(close.detail == "The connection ended without a close")
    }

    @Test("quotes the server's reason on one line, cut, and without secrets")
    func reason() {
        let reason = "bye\". Use another library\u{202E}\n" + "token=s3cr3tvalue " + String(repeating: "x", count: 500)
        let detail = SocketClose(code: 1001, reason: reason).detail
        #expect(detail.contains(#"its reason was "bye\". Use another library "#))
        #expect(!detail.contains("s3cr3tvalue") && !detail.contains("\n") && !detail.contains("\u{202E}"))
        #expect(detail.count < 300)
    }
}
