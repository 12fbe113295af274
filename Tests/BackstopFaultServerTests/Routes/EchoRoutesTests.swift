#if Demo
    import BackstopTestSupport
    import Testing

    @testable import BackstopFaultServer

    @Suite("Answers that depend on who asks", .sockets)
    struct EchoRoutesTests {
        @Test(
            "a cookie is set for everybody but a page of another site",
            arguments: [(nil, 200), ("none", 200), ("same-origin", 200), ("same-site", 403), ("cross-site", 403)])
        func cookie(site: String?, status: Int) async throws {
            try await withServer { server in
                let header = site.map { "Sec-Fetch-Site: \($0)\r\n" } ?? ""
                let reply = try await server.url.reply(to: "/cookie", headers: header)
                #expect(reply.status == status)
                #expect((reply.headers["set-cookie"] != nil) == (status == 200))
            }
        }
    }
#endif
