#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Registering GraphQL documents", .sockets)
    struct GraphQLRegistrationTests {
        @Test(
            "what is no manifest is refused", arguments: ["", "[]", "{}", "[1]", #"{"a":1}"#, #"{"id":"","body":"a"}"#])
        func noManifest(_ body: String) async throws {
            try await withServer { server in
                let reply = try await server.url.reply(to: "/graphql/register", method: "POST", body: body)
                #expect(reply.status == 400)
            }
        }
    }
#endif
