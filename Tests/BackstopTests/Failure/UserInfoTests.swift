import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("What crash reporters read of a failure", .limited)
struct UserInfoTests {
    private struct Refusal: ServiceError, CustomStringConvertible {
        var description: String
        var failureCode: String { description }
        var failureMessage: String? { description }
    }

    private struct Crowded: CustomNSError, LocalizedError {
        let texts: [String: String]
        var errorUserInfo: [String: Any] { texts }
        var errorDescription: String? { "It is full." }
    }

    @Test("has the error behind on one line, without what a terminal would obey")
    func behind() throws {
        let text = "It is full.\u{1B}[31m\n  next: pay"
        for error: any Error in [
            Refusal(description: text), Crowded(texts: ["reason": text]),
            NSError(domain: "a", code: 1, userInfo: [NSLocalizedDescriptionKey: text]),
        ] {
            let info = (Failure(error) as NSError).userInfo
            let behind = try #require(info[NSUnderlyingErrorKey] as? NSError)
            for text in [behind.localizedDescription] + behind.userInfo.values.map({ "\($0)" }) {
                #expect(!text.contains { $0.isNewline || $0 == "\u{1B}" })
            }
        }
    }

    @Test("are these keys, with the code, the group, the call and the request")
    func keys() throws {
        let request = try HTTP.Request(.get, "https://api.example.com/books/1?token=hunter2")
        let failure = Failure(
            StatusError(503), request: request, attempts: [Attempt(number: 1, result: .failed(code: "status.503"))],
            stopReason: .budget, name: "BookDetails")
        let info = (failure as NSError).userInfo
        #expect(
            info.filter { $0.key.hasPrefix("Backstop") }.mapValues { "\($0)" } == [
                "BackstopCode": "status.503", "BackstopFingerprint": "status.503 BookDetails",
                "BackstopName": "BookDetails", "BackstopStatus": "503", "BackstopAttempts": "1",
                "BackstopStopReason": "budget",
                "BackstopRequest": "GET https://api.example.com/books/1?token=<redacted>",
            ])
        #expect(info["NSDebugDescription"] as? String == "The server answered 503 Service Unavailable.")
    }

    @Test("are values of JSON, but for the error behind it")
    func values() {
        for sample in FailureSamples.all {
            var info = (sample.failure as NSError).userInfo
            #expect(info.removeValue(forKey: NSUnderlyingErrorKey) is NSError)
            #expect(JSONSerialization.isValidJSONObject(info), "\(sample.name)")
            #expect(info["BackstopFingerprint"] as? String == sample.failure.fingerprint)
        }
    }

    @Test("are bounded, however lists and errors are nested")
    func budget() throws {
        let text = String(repeating: "x ", count: 5000)
        let lists = Array(repeating: Array(repeating: text, count: 100), count: 30)
        var tree = NSError(domain: "a", code: 1, userInfo: ["number": 1])
        for _ in 0..<7 {
            let list = Array(repeating: tree, count: 6)
            tree = NSError(
                domain: "a", code: 1,
                userInfo: ["list": list, NSLocalizedDescriptionKey: "It failed.", "a": Array(repeating: 1, count: 99)])
        }
        for system in [NSError(domain: "a", code: 1, userInfo: ["lists": lists]), tree] {
            let failure = Failure(TransportError(.refused, underlying: system))
            #expect("\(failure.nsError.userInfo)".utf8.count < 80_000)
        }
        #expect(Failure(tree).nsError.localizedDescription == "It failed.")
    }

    @Test("are bounded, also where a name uses up the room before its value, or a value before the error's own words")
    func exhausted() {
        let names = (0..<10).map { "\($0)" + String(repeating: "n", count: 9999) }
        let info = Dictionary(uniqueKeysWithValues: names.map { ($0, "value") })
        for error in [NSError(domain: "a", code: 1, userInfo: info), Crowded(texts: info)] as [any Error] {
            #expect("\(Failure(error).nsError.userInfo)".utf8.count < 80_000)
        }
    }

    @Test("are bounded, whatever a server sent")
    func bounded() throws {
        let long = String(repeating: "x ", count: 5_000_000)
        let system = NSError(domain: "a", code: 1, userInfo: [NSLocalizedDescriptionKey: long, "list": [long, long]])
        let errors: [any Error] = [
            Refusal(description: long), TransportError(.refused, detail: long, underlying: system), system,
        ]
        for error in errors {
            let failure = Failure(error, stopReason: .custom(long), name: long)
            for error in [failure as NSError, failure.nsError] {
                #expect("\(error.userInfo)".utf8.count < 80_000)
            }
        }
    }

    /// What is shown of values that a system's error has.
    private func shown(_ info: [String: Any]) -> [String: String] {
        let system = NSError(domain: "a", code: 1, userInfo: info)
        return Failure(TransportError(.refused, underlying: system)).nsError.userInfo.mapValues { "\($0)" }
    }

    private static let url = "https://ann:hunter2@a.example/in?token=hunter2&page=2"
    private static let redactedURL = "https://<redacted>@a.example/in?token=<redacted>&page=2"

    @Test("are of an answer its status and its redacted URL, and none of its fields")
    func answer() throws {
        let response = HTTPURLResponse(
            url: try #require(URL(string: Self.url)), statusCode: 401, httpVersion: nil,
            headerFields: ["X-Customer": "ann", "Set-Cookie": "a=hunter2"])
        #expect(shown(["answer": try #require(response)]) == ["answer": "401 \(Self.redactedURL)"])
    }

    @Test("are of a request its method and its redacted URL, and neither fields nor body")
    func request() throws {
        var request = URLRequest(url: try #require(URL(string: Self.url)))
        request.httpMethod = "PUT"
        request.setValue("ann", forHTTPHeaderField: "X-Customer")
        request.httpBody = Data("customer=ann".utf8)
        #expect(shown(["asked": request]) == ["asked": "PUT \(Self.redactedURL)"])
    }

    @Test("are of an object its type, whatever its description says")
    func objects() throws {
        let cookie = HTTPCookie(properties: [.name: "customer", .value: "ann", .domain: "a.example", .path: "/"])
        let values: [Any] = [
            Session(), try #require(cookie), URLCredential(user: "ann", password: "hunter2", persistence: .none),
        ]
        for (value, type) in zip(values, ["Session", "HTTPCookie", "URLCredential"]) {
            // Apple's names of the system's own begin with NS.
            #expect([type, "NS" + type].contains(shown(["object": value])["object"] ?? ""))
        }
    }

    @Test("are hidden under a name that tells of a secret in its first 200 characters, however long it is")
    func longNames() throws {
        let long = String(repeating: "x", count: 10_000_000)
        let first = String(repeating: "x", count: 195)
        let names = ["token \(long)": "<redacted>", "\(long)token": "1", "\(first)token": "<redacted>"]
        for (name, value) in names {
            #expect(shown([name: 1]).map(\.value) == [value], "\(name.prefix(5))")
        }
        #expect(shown(["\(first) token": 1]) == ["\(first) token": "1"])
    }

    @Test("are shown under names of the system, which end in a word that tells of a secret elsewhere")
    func systemNames() {
        let info: [String: Any] = [
            "_kCFStreamErrorCodeKey": -2096, "_kCFStreamErrorDomainKey": "4", "NSURLErrorNWPathKey": "satisfied",
            "OrderKey": "7",
        ]
        #expect(
            shown(info) == [
                "_kCFStreamErrorCodeKey": "-2096", "_kCFStreamErrorDomainKey": "4", "NSURLErrorNWPathKey": "satisfied",
                "OrderKey": "<redacted>",
            ])
    }

    @Test("are found in a domain without secrets, and bounded")
    func domain() {
        let domains = [
            Self.url: Self.redactedURL, "shop.OrderKey": "shop.OrderKey",
            String(repeating: "x", count: 5_000_000): String(repeating: "x", count: 10_000) + "…",
        ]
        for (domain, shown) in domains {
            let system = NSError(domain: domain, code: 7)
            let error = Failure(TransportError(.refused, underlying: system)).nsError
            #expect(error.domain == shown)
            #expect(error.code == 7)
        }
    }
}

/// An object that tells more than it should.
private final class Session: CustomStringConvertible {
    let customer = "ann"
    var description: String { "session of \(customer)" }
}
