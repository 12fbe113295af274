import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// Status codes that mean different things for different requests.
@Suite("The words of a refusal", .limited)
struct RefusalWordsTests {
    @Test(
        "speak of an expired session only where one was sent, and not to whoever signs in",
        arguments: [
            ("orders", ["Authorization": "Bearer t"], true), ("orders", ["Cookie": "sid=1"], true),
            ("orders", [:], false), ("orders", ["Authorization": "Basic YTpi"], false), ("login", [:], false),
            ("login", ["Authorization": "Bearer old"], false), ("v2/sign-in", ["Cookie": "sid=1"], false),
            ("oauth/token", ["Authorization": "Basic YTpi"], false), ("orders/login-pages", ["Cookie": "a=b"], true),
        ] as [(String, [String: String], Bool)])
    func unauthorized(path: String, headers: [String: String], isSession: Bool) async throws {
        // given
        var fields = HTTP.Headers()
        for (name, value) in headers {
            fields[HTTP.Headers.Name(name)] = value
        }
        let client = try Rig(.status(401)).standard()
        let sent = fields
        // when
        let failure = await #expect(throws: Failure.self) {
            try await client.post(path, headers: sent) as HTTP.Response
        }
        // then
        #expect(failure?.message.title == "Sign-in needed")
        #expect(failure?.message.text == (isSession ? "Your session has expired." : "You are not signed in."))
    }

    @Test("ask nobody to check what was entered where nothing was sent but a question")
    func badRequest() async throws {
        // given
        let client = try Rig(.status(400).repeated()).standard()
        // when
        let read = await #expect(throws: Failure.self) { try await client.get("a") as HTTP.Response }
        let sent = await #expect(throws: Failure.self) { try await client.post("a", json: ["n": 1]) }
        // then
        #expect(read?.message.text == "There is a problem in the app.")
        #expect(sent?.message.suggestion == "Please check what you entered and try again.")
    }

    @Test(
        "say that an order may have worked, whatever fault the server or its proxy tells",
        arguments: [500, 520, 522, 524, 502, 504])
    func fault(status: Int) async throws {
        // given
        let warning = "Please check whether it worked before you try again."
        let client = try Rig(.status(status).repeated()).standard(apiError: SignUpError.self)
        // when
        let order = await #expect(throws: Failure.self) { try await client.post("orders", json: ["n": 1]) }
        let read = await #expect(throws: Failure.self) { try await client.get("orders") as HTTP.Response }
        // then
        #expect(order?.message.suggestion == warning)
        #expect(read?.message.suggestion != warning)
    }

    @Test("are those of the system's error, also where it is still an NSError")
    func bridged() async throws {
        let offline = try Rig(.failure(NSError(domain: NSURLErrorDomain, code: -1009)).repeated()).standard()
        let failure = await #expect(throws: Failure.self) { try await offline.post("a") as HTTP.Response }
        #expect(failure?.code == "transport.offline")
    }

    @Test("keep the status where a failure becomes an NSError, and where that is thrown again")
    func status() async throws {
        // given
        let failure = Failure(StatusError(418))
        let error = failure as NSError
        // then
        #expect(error.code == 418)
        #expect(error.userInfo["BackstopStatus"] as? Int == 418)
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 418)
        #expect(failure.nsError.code == 418)
        let again = try Rig(.failure(NSError(domain: error.domain, code: error.code))).standard()
        let other = await #expect(throws: Failure.self) { try await again.post("a") as HTTP.Response }
        #expect(other?.code == "status.418")
    }
}
