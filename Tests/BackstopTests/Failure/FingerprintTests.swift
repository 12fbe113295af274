import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The fingerprint of a failure", .limited)
struct FingerprintTests {
    /// An error whose code the server chooses.
    private struct Refusal: ServiceError {
        var failureCode = "Refusal"
        var text = ""
    }

    private final class OwnSystemError: NSError, @unchecked Sendable {}

    private static func problem(_ type: String) throws -> ProblemDetails {
        let body = try JSONEncoder().encode(["type": type, "detail": UUID().uuidString])
        return try JSONDecoder().decode(ProblemDetails.self, from: body)
    }

    private static func get(_ path: String, status: Int = 404) -> String {
        Failure(StatusError(status), name: "GET \(path)").fingerprint
    }

    @Test("is the same in each run and version, for each kind of failure")
    func table() throws {
        let rows: [(any Error, String)] = [
            (StatusError(503), "status.503 Books"), (TransportError(.dns), "transport.dns Books"),
            (TimeoutError(.attempt, after: .seconds(3)), "timeout.attempt Books"),
            (RequestError(.invalidURL, "No."), "request.invalidURL Books"),
            (RejectionError(.breakerOpen, "For 12 s."), "rejected.breakerOpen Books"),
            (CancellationError(), "cancelled Books"),
            (OwnError(number: 7), "other.OwnError Books"), (Refusal(), "service.Refusal Books"),
            (Refusal(failureCode: "soldOut"), "service.Refusal Books #648"),
            (try Self.problem("about:blank"), "service.ProblemDetails Books #9d9"),
            (try Self.problem("https://example.com/out-of-stock"), "service.ProblemDetails Books #db7"),
            (NSError(domain: NSPOSIXErrorDomain, code: 28), "other.NSError Books #695"),
            (RejectionError("quota", "No."), "rejected Books #da2"),
            (
                DecodingFailure(OwnError(), decoding: Book.self, from: Array("{".utf8), contentType: nil),
                "decoding.truncated Books"
            ),
        ]
        for (error, fingerprint) in rows {
            #expect(Failure(error, name: "Books").fingerprint == fingerprint)
        }
        #expect(Self.get("books/1") == "status.404 GET #6f5")
        #expect(Failure(StatusError(404)).fingerprint == "status.404")
        #expect(Failure(StatusError(404), name: "/books/1").fingerprint == "status.404 #6f5")
    }

    @Test("tells the kinds of all sample failures apart", arguments: [true, false])
    func samples(isNamed: Bool) {
        let failures = FailureSamples.all.map { sample in
            isNamed ? Failure(sample.failure, name: "Books") : sample.failure
        }
        #expect(Set(failures.map(\.fingerprint)).count == FailureSamples.all.count)
    }

    @Test("takes domain and code of a system's error, whatever its type")
    func systemErrors() {
        let errors: [any Error] = [
            POSIXError(.ENOSPC), POSIXError(.EPERM), CocoaError(.fileReadNoSuchFile), CocoaError(.fileWriteOutOfSpace),
        ]
        let groups = errors.map { Failure($0, name: "Books").fingerprint }
        #expect(Set(groups).count == 4)
        #expect(groups[0] == Failure(NSError(domain: NSPOSIXErrorDomain, code: 28), name: "Books").fingerprint)
        #expect(groups[0] == Failure(OwnSystemError(domain: NSPOSIXErrorDomain, code: 28), name: "Books").fingerprint)
    }

    @Test("has nothing of a code of the app's own, and a bounded number of them")
    func ownCodes() {
        var found: Set<String> = []
        for number in 0..<20_000 {
            let name = "secret\(number)"
            let errors: [any Error] = [
                RejectionError(.init(name), ""),
                TransportError(.init(name, isTransient: false, explanation: "No.", nextStep: "No.")),
                RequestError(.init(name, explanation: "No.", nextStep: "No."), ""),
                TimeoutError(
                    .init(name, isTransient: false, explanation: "No.", nextStep: "No."), after: .seconds(1)),
            ]
            found.formUnion(errors.map { Failure($0, name: "Books").fingerprint })
        }
        #expect(found.count <= 4 * 4096)
        #expect(found.allSatisfy { !$0.contains("secret") })
    }

    @Test("does not depend on attempts, texts, identifiers, or what was sent and received")
    func same() async throws {
        // given
        let plain = Failure(StatusError(503), name: "BookEndpoint").fingerprint
        for (target, body) in [("books/1", "one"), ("books/2?page=3", "two"), ("https://b.example.org/x/9", "")] {
            let rig = Rig(ScriptedTransport.Step.json(503, "{\"error\":\"\(body)\"}").repeated())
            // when
            let client = try rig.standard()
            let failure = try #require(
                await #expect(throws: Failure.self) { try await client.send(BookEndpoint(target: target)) })
            // then
            #expect(failure.fingerprint == plain)
            #expect(failure.attempts.count == 3)
        }
    }

    @Test("takes the path of a one-liner with all identifiers alike, and no host, query or fragment")
    func paths() {
        let book = Self.get("books/1")
        for path in [
            "books/2", "/books/2/", "books/9f86d081884c7d65", "books/3?page=2", "books/4#end", "books/Zo%C3%AB",
            "books/a-tale-of-two-cities", "https://a.example/books/1", "http://b.example:80/books/77?x=/y",
            "books/f47ac10b-58cc-4372-a567-0e02b2c3d479", "books/<redacted>", "books/Дюна",
            "books/\(String(repeating: "x", count: 30))",
        ] {
            #expect(Self.get(path) == book, "\(path)")
        }
        for path in ["books", "books/1/cover", "films/1", "books/popular", "v1/books/1", "v2/books/1"] {
            #expect(Self.get(path) != book, "\(path)")
        }
        #expect(Self.get("v1/books/1") != Self.get("v2/books/1"))
        #expect(Failure(StatusError(404), name: "DELETE books/1").fingerprint != book)
    }

    @Test("takes method and path of the request where a call has no name")
    func unnamed() throws {
        let request = try HTTP.Request(.get, "https://api.example.com/books/1?token=hunter2")
        #expect(Failure(StatusError(404), request: request).fingerprint == Self.get("books/1"))
    }

    @Test("a server that makes up codes, types, links and statuses of its own makes a bounded number of groups")
    func cardinality() throws {
        var numbers = SeededNumbers(seed: 1)
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        var found: Set<String> = []
        for _ in 0..<10_000 {
            let word = String((0..<12).map { _ in letters.randomElement(using: &numbers) ?? "a" })
            found.insert(Failure(Refusal(failureCode: word), name: "Books").fingerprint)
            found.insert(Failure(Refusal(failureCode: word), name: "GET \(word)/\(word)").fingerprint)
            found.insert(Self.get("https://\(word).example/\(word)"))
        }
        // One code with one name, one code with one method, one status with one method.
        #expect(found.count <= 3 * 4096)
        #expect(found.count > 3 * 3000)
        #expect(found.allSatisfy { $0.utf8.count < 40 })
    }

    @Test("is short, whatever names and codes are")
    func bounded() throws {
        let long = String(repeating: "x\u{301}", count: 5_000_000)
        for failure in [
            Failure(Refusal(failureCode: long), name: long), Failure(try Self.problem(long), name: "GET \(long)"),
            Failure(NSError(domain: long, code: 1), name: "a\nb\u{202E}c"),
        ] {
            let fingerprint = failure.fingerprint
            #expect(fingerprint.unicodeScalars.count < 250)
            #expect(!hasControls(fingerprint) && !fingerprint.contains("\n"))
        }
    }
}
