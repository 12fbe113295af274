import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("What crash reporters read of a failure", .limited)
struct UserInfoTests {
    private struct Refusal: ServiceError, CustomStringConvertible {
        var description: String
        var failureCode: String { description }
        var failureMessage: String? { description }
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
}
