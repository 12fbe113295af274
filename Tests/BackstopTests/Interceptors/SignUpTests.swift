import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// The sign-up service's answers, row by row, through the standard client.
@Suite("The sign-up service", .limited)
struct SignUpTests {
    struct Availability: Decodable, Sendable, Hashable {
        var isAvailable: Bool
        var userName: String
    }

    private struct IsUserNameAvailable: JSONEndpoint {
        typealias Content = Availability
        let userName: String?
        func makeRequest() throws -> HTTP.Request {
            let query = userName.map { [URLQueryItem(name: "userName", value: $0)] } ?? []
            return try HTTP.Request(.get, "isUserNameAvailable", queryItems: query)
        }
    }

    private static func refusal(_ status: Int, _ reason: String, retryAfter: Int? = nil) -> ScriptedTransport.Step {
        var headers = HTTP.Headers()
        headers[.retryAfter] = retryAfter.map { "\($0)" }
        return .json(status, #"{"error":true,"reason":"\#(reason)"}"#, headers: headers)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String?
        let reason: String
        var testDescription: String { name ?? "no parameter" }
    }

    private static let refusals = [
        Row(name: nil, reason: "Username parameter missing"), Row(name: "", reason: "Username must not be empty"),
        Row(name: "abc", reason: "Username is too short."), Row(name: "admin", reason: "Username is not valid: admin."),
        Row(name: "superuser", reason: "Username is not valid: superuser."),
    ]

    @Test("refuses a name with 400 and a reason, which is not tried again", arguments: refusals)
    func refused(row: Row) async throws {
        // given
        let rig = Rig(Self.refusal(400, row.reason))
        let client = try rig.standard()
        // when
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.send(IsUserNameAvailable(userName: row.name)) })
        // then
        #expect(failure.code == "service.SignUpError")
        #expect(failure.error(as: SignUpError.self)?.reason == row.reason)
        #expect(failure.statusCode == 400)
        #expect(failure.message.text == row.reason)
        #expect(failure.attempts.count == 1)
        #expect(failure.stopReason == .notRetryable)
        #expect(
            rig.urls.first == "https://api.example.com/v1/isUserNameAvailable"
                + (row.name.map { "?userName=\($0)" } ?? ""))
    }

    @Test("whose database is corrupted is asked three times, with growing pauses")
    func serverError() async throws {
        // given
        let rig = Rig(Self.refusal(500, "The database is corrupted").repeated(3))
        let client = try rig.standard()
        // when
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.send(IsUserNameAvailable(userName: "servererror")) })
        // then
        #expect(failure.code == "service.SignUpError")
        #expect(failure.statusCode == 500)
        #expect(failure.isTransient)
        #expect(failure.attempts.count == 3)
        #expect(failure.stopReason == .attemptsUsed(3))
        #expect(rig.clock.sleeps == [.milliseconds(250), .milliseconds(500)])
        try rig.transport.checkFinished()
    }

    @Test("in maintenance is waited for as long as it asks, and then answers")
    func maintenance() async throws {
        // given
        let rig = Rig(
            Self.refusal(500, "Temporarily unavailable for maintenance", retryAfter: 17).repeated(2),
            .json(200, #"{"isAvailable":true,"userName":"maintenance"}"#))
        // when
        let content = try await rig.standard().send(IsUserNameAvailable(userName: "maintenance"))
        // then
        #expect(content == Availability(isAvailable: true, userName: "maintenance"))
        #expect(rig.clock.sleeps.count == 2)
        #expect(rig.clock.sleeps.allSatisfy { $0 >= .seconds(17) })
        let attempts = try #require(rig.observer.calls.first?.trace.attempts)
        #expect(
            attempts.map(\.result) == [.failed(code: "service.SignUpError"), .failed(code: "service.SignUpError"), .ok])
        #expect(attempts.map(\.waitReason) == [nil, "Retry-After", "Retry-After"])
        #expect(rig.observer.failures.isEmpty)
        try rig.transport.checkFinished()
    }

    @Test("in maintenance for good ends after three attempts, with what it said last")
    func maintenanceForGood() async throws {
        // given
        let rig = Rig(Self.refusal(500, "Temporarily unavailable for maintenance", retryAfter: 17).repeated(3))
        let client = try rig.standard()
        // when
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.send(IsUserNameAvailable(userName: "maintenance!")) }
        )
        // then
        #expect(failure.stopReason == .attemptsUsed(3))
        #expect(failure.message.text == "Temporarily unavailable for maintenance")
        #expect(rig.clock.now >= .seconds(34))
        try rig.transport.checkFinished()
    }

    @Test("that asks for a longer wait than is accepted is not waited for")
    func tooLong() async throws {
        // given
        let rig = Rig(Self.refusal(500, "Temporarily unavailable for maintenance", retryAfter: 3600))
        let client = try rig.standard()
        // when
        let failure = await #expect(throws: Failure.self) {
            try await client.send(IsUserNameAvailable(userName: "maintenance"))
        }
        // then
        #expect(failure?.stopReason == .retryAfterTooLong(asked: .seconds(3600), accepted: .seconds(60)))
        #expect(rig.clock.sleeps.isEmpty)
    }

    @Test("whose answer lacks a field gives a decoding failure that names it, and is not asked again")
    func illegalResponse() async throws {
        // given
        let rig = Rig(.json(200, #"{"isAvailable":false}"#))
        let client = try rig.standard()
        // when
        let failure = try #require(
            await #expect(throws: Failure.self) {
                try await client.send(IsUserNameAvailable(userName: "illegalresponse"))
            })
        // then
        #expect(failure.code == "decoding")
        guard case .decoding(let decoding) = failure.reason else {
            return
        }
        #expect(decoding.kind == .missingKey)
        #expect(decoding.path == "$")
        #expect(decoding.expected == #"the key "userName""#)
        #expect(failure.attempts.count == 1)
        #expect(failure.statusCode == 200)
    }

    @Test(
        "says whether a name is free",
        arguments: [("peterfriese", false), ("johndoe", false), ("åsa", true), ("a+b c", true)])
    func available(name: String, isAvailable: Bool) async throws {
        // given
        let rig = Rig(.json(200, #"{"isAvailable":\#(isAvailable),"userName":"\#(name)"}"#))
        // when
        let content = try await rig.standard().send(IsUserNameAvailable(userName: name))
        // then
        #expect(content == Availability(isAvailable: isAvailable, userName: name))
    }
}
