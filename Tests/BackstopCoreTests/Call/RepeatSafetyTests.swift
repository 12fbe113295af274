import BackstopCore
import BackstopTestSupport
import Testing

@Suite("Several requests of a call", .limited)
struct RepeatSafetyTests {
    private static func safety(_ requests: (key: String?, isReplayable: Bool)...) -> RepeatSafety {
        RepeatSafety(
            requests.map { request in
                var ask = Ask()
                ask.idempotencyKey = request.key
                ask.isReplayable = request.isReplayable
                return ask
            })
    }

    @Test("may be sent again if each of them may, whichever comes last, and all with one key")
    func combined() {
        #expect(Self.safety((nil, true), (nil, true)).isReplayable)
        #expect(!Self.safety((nil, false), (nil, true)).isReplayable)
        #expect(!Self.safety((nil, true), (nil, false)).isReplayable)
        for keys in [["a", nil], [nil, "a"], ["a", "a"]] as [[String?]] {
            let safety = Self.safety((keys[0], true), (keys[1], true))
            #expect(safety.isIdempotent)
            #expect(safety.key == "a")
        }
        #expect(!Self.safety(("a", true), ("b", true)).isIdempotent)
        #expect(!Self.safety(("a", true), (nil, true), ("b", true)).isIdempotent)
    }
}
