#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("GraphQL responses that are broken", .sockets)
    struct GraphQLMalformationTests {
        /// How each malformation changes `{"data":{"hero":{"id":"2001"}}}`.
        static let bodies: [(malformation: String, body: String)] = [
            ("noDataNoErrors", "{}"),
            ("notObject", "[1,2]"),
            ("notJSON", "upstream is not available"),
            ("empty", ""),
            ("truncated", #"{"data":{"hero""#),
            ("byteOrderMark", "\u{FEFF}" + #"{"data":{"hero":{"id":"2001"}}}"#),
            ("emptyErrors", #"{"data":{"hero":{"id":"2001"}},"errors":[]}"#),
            ("nullErrors", #"{"data":{"hero":{"id":"2001"}},"errors":null}"#),
            ("errorsObject", #"{"data":{"hero":{"id":"2001"}},"errors":{"message":"errors is an object"}}"#),
            ("dataWrongType", #"{"data":"none"}"#),
            ("wrongField", #"{"data":{"hero":{"id":{"unexpected":true}}}}"#),
            ("duplicate", #"{"data":null,"errors":null,"data":{"hero":{"id":"2001"}}}"#),
            (
                "unknownKeys",
                """
                {"data":{"hero":{"id":"2001"}},"errors":[{"message":"There are unknown keys.","severity":"low"}],\
                "hasNext":false,"trace":{"id":7}}
                """
            ),
            ("noData", #"{"errors":[{"message":"The field was lost.","path":["hero"]}]}"#),
            (
                "deepExtensions&depth=3",
                """
                {"data":{"hero":{"id":"2001"}},"errors":[{"message":"The extensions are deep.",\
                "extensions":{"in":{"in":{"in":1}}}}],"extensions":{"in":{"in":{"in":1}}}}
                """
            ),
            (
                "bigNumbers",
                """
                {"data":{"hero":{"id":"2001"}},"errors":[{"message":"The numbers are big.","extensions":\
                {"over32":4294967296,"over53":9007199254740993,"least":-9223372036854775808,\
                "over63":18446744073709551615,"fraction":0.1,"exponent":1e21}}],"extensions":\
                {"over32":4294967296,"over53":9007199254740993,"least":-9223372036854775808,\
                "over63":18446744073709551615,"fraction":0.1,"exponent":1e21}}
                """
            ),
            (
                "errorsEntry",
                """
                {"data":{"hero":{"id":"2001"}},"errors":[{"message":"The first entry is good.","path":["hero"]},7,\
                "a text",null,[],{"path":["hero","friends"]},\
                {"message":404,"extensions":"none","locations":"nowhere"},\
                {"message":"The path is odd.","path":["hero",true,null,1.5,-1,{},1099511627776]},\
                {"message":"The last entry is good.","extensions":{"code":"LAST"}}]}
                """
            ),
        ]

        @Test("a body is broken to the letter", arguments: bodies)
        func malformed(_ malformation: String, _ body: String) async throws {
            try await withServer { server in
                let reply = try await server.url.ask(
                    "{ hero { id } }", switches: "malformed=\(malformation)&type=graphql")
                #expect(reply.status == 200)
                #expect(reply.headers["content-type"] == "application/graphql-response+json; charset=utf-8")
                #expect(reply.headers["content-length"] == "\(body.utf8.count)")
                #expect(reply.body == body)
            }
        }

        @Test("a page comes with its own type, and with the status that is asked for")
        func html() async throws {
            try await withServer { server in
                let reply = try await server.url.ask("{ hero { id } }", switches: "malformed=html&status=502")
                #expect(reply.status == 502)
                #expect(reply.headers["content-type"] == "text/html; charset=utf-8")
                #expect(reply.body.hasPrefix("<!doctype html>"))
            }
        }

        @Test("bytes that are not valid UTF-8 are sent as they are")
        func notUTF8() {
            let body = GraphQLMalformation.notUTF8.body(for: [], depth: 1)
            #expect(String(bytes: body, encoding: .utf8) == nil)
            #expect(body.contains(0xE9))
        }
    }
#endif
