#if AsyncHTTPClient
    import BackstopTestSupport
    import Testing

    @testable import BackstopAsyncHTTPClient

    @Suite("The servers that asked for a client certificate", .limited)
    struct CertificateRequestsTests {
        @Test("count until they answer a request, and not again")
        func answered() {
            let requests = CertificateRequests()
            #expect(requests.isUnanswered("a.example") == false)
            requests.note("a.example")
            #expect(requests.isUnanswered("A.example") == true)
            #expect(requests.isUnanswered("b.example") == false)
            requests.answered("b.example")
            #expect(requests.isUnanswered("a.example") == true)
            requests.answered("a.example")
            requests.note("a.example")
            #expect(requests.isUnanswered("a.example") == false)
        }

        @Test("are not told apart where the URL has an address", arguments: ["192.0.2.1", "2001:db8::1"])
        func address(host: String) {
            let requests = CertificateRequests()
            #expect(requests.isUnanswered(host) == false)
            requests.note(nil)
            #expect(requests.isUnanswered(host) == nil)
            #expect(requests.isUnanswered("a.example") == false)
        }

        @Test("are bounded in number")
        func bounded() {
            let requests = CertificateRequests()
            for number in 0..<1000 {
                requests.note("\(number).example")
            }
            #expect((0..<1000).filter { requests.isUnanswered("\($0).example") == true }.count <= 256)
            #expect(requests.isUnanswered("999.example") == true)
        }
    }
#endif
