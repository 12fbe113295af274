#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("The GraphQL routes of the listing", .sockets)
    struct GraphQLRoutesTests {
        @Test("the listing names every malformation, and each of its examples is a route")
        func listing() async throws {
            try await withServer { server in
                let routes = server.routes.filter {
                    $0.path.hasPrefix("/graphql") && !$0.path.hasPrefix("/graphql/live")
                        && !$0.path.hasPrefix("/graphql/stream")
                }
                #expect(routes.count == 10)
                for malformation in GraphQLMalformation.allCases {
                    #expect(routes.contains { $0.description.contains(malformation.rawValue) })
                }
                for route in routes where route.method == "GET" {
                    let reply = try await server.url.reply(to: route.path)
                    #expect([200, 294, 404].contains(reply.status) || reply.body.contains("errors"))
                }
            }
        }
    }
#endif
