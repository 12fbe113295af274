import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The failure samples", .limited)
struct FailureSamplesTests {
    @Test("have one of every code, and no name twice")
    func complete() {
        // given
        let names = FailureSamples.all.map(\.name)
        let codes = Set(FailureSamples.all.map(\.failure.code))
        // then
        #expect(Set(names).count == names.count)
        for code in TransportError.Code.builtIn {
            #expect(codes.contains("transport.\(code)"))
        }
        for code in RequestError.Code.builtIn {
            #expect(codes.contains("request.\(code)"))
        }
        for kind in TimeoutError.Kind.builtIn {
            #expect(codes.contains("timeout.\(kind)"))
        }
        for status in [400, 401, 403, 404, 408, 409, 410, 422, 425, 429, 500, 502, 503, 504] {
            #expect(codes.contains("status.\(status)"))
        }
        for code in ["service.soldOut", "decoding", "cancelled", "other"] {
            #expect(codes.contains(code))
        }
        for code in RejectionError.Code.builtIn {
            #expect(codes.contains("rejected.\(code)"))
        }
    }

    @Test("have a decoding failure of each kind, made by a real decoder")
    func decoding() {
        // given
        let kinds = FailureSamples.all.compactMap { sample -> DecodingFailure.Kind? in
            guard case .decoding(let failure) = sample.failure.reason else {
                return nil
            }
            return failure.kind
        }
        // then
        #expect(Set(kinds) == Set(DecodingFailure.Kind.builtIn))
        #expect(kinds.count == DecodingFailure.Kind.builtIn.count)
    }

    @Test("have request, response and attempts as real calls have them", arguments: FailureSamples.all.map(\.name))
    func realistic(name: String) throws {
        // given
        let failure = try #require(FailureSamples.failure(name))
        // then
        let isRejected = failure.reason.kind == "rejected"
        // A timeout that nobody else was answered beside is not repeated.
        let isRepeated = failure.isTransient && !isRejected && name != "timeout.attempt"
        #expect(failure.attempts.count == (isRepeated ? 3 : 1))
        #expect(failure.attempts.last?.result == .failed(code: failure.code))
        switch failure.reason {
        case .request, .rejected:
            #expect(failure.request == nil)
        case .status(let error):
            #expect(failure.response?.status == error.code)
            #expect(failure.request != nil)
        case .service, .decoding, .storage:
            #expect(failure.response != nil)
        case .cancelled, .transport, .timeout, .other:
            #expect(failure.request != nil)
        }
        #expect(failure.stopReason != .noRetry)
    }

    @Test("are found by name and by code")
    func lookup() {
        #expect(FailureSamples.failure("transport.offline")?.isOffline == true)
        #expect(FailureSamples.failure("decoding")?.code == "decoding")
        #expect(FailureSamples.failure("nothing") == nil)
    }
}
