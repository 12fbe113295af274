#if Demo
    import Foundation
    import BackstopTestSupport
    import Testing

    @testable import BackstopFaultServer

    @Suite("The record of requests", .limited)
    struct RequestLogTests {
        @Test("the record keeps the latest 10,000 requests and counts all of them")
        func bounded() {
            var log = RequestLog()
            for number in 0..<25_000 {
                log.append(
                    RecordedRequest(
                        method: "GET", target: "/a?\(number)", path: "/a", headers: [:], body: Data(),
                        isOtherOrigin: false))
            }
            #expect(log.count(of: "/a") == 25_000)
            #expect(log.requests(to: "/a").map(\.target) == (15_000..<25_000).map { "/a?\($0)" })
            #expect(log.requests(to: "/b").isEmpty)
        }
    }
#endif
