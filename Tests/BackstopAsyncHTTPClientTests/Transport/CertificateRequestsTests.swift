#if AsyncHTTPClient
    import BackstopTestSupport
    import Testing

    @testable import BackstopAsyncHTTPClient

    @Suite("The servers that asked for a client certificate", .limited)
    struct CertificateRequestsTests {
        @Test("count until they answer a request, and not again")
        func answered() {
            let requests = CertificateRequests()
            #expect(!requests.isUnanswered("a.example"))
            requests.note("a.example")
            #expect(requests.isUnanswered("A.example"))
            #expect(!requests.isUnanswered("b.example"))
            requests.answered("b.example")
            #expect(requests.isUnanswered("a.example"))
            requests.answered("a.example")
            requests.note("a.example")
            #expect(!requests.isUnanswered("a.example"))
        }

        @Test("have no name where the URL has an address", arguments: ["192.0.2.1", "2001:db8::1"])
        func address(host: String) {
            let requests = CertificateRequests()
            requests.note(nil)
            #expect(requests.isUnanswered(host))
            #expect(!requests.isUnanswered("a.example"))
        }

        @Test("are bounded in number")
        func bounded() {
            let requests = CertificateRequests()
            for number in 0..<1000 {
                requests.note("\(number).example")
            }
            #expect((0..<1000).filter { requests.isUnanswered("\($0).example") }.count <= 256)
            #expect(requests.isUnanswered("999.example"))
        }
    }
#endif
