#if Demo
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("Persisted GraphQL queries", .sockets)
    struct GraphQLDocumentFinderTests {
        let document = "{ hero { id } }"
        let data = #"{"data":{"hero":{"id":"2001"}}}"#
        var hash: String { GraphQLStore.hash(of: document) }
        var hashOnly: String { "{\"extensions\":\(persisted(hash))}" }
        var extensions: String { ",\"extensions\":\(persisted(hash))" }

        @Test("a hash is unknown until the document comes with it, then by POST and GET")
        func learning() async throws {
            try await withServer { server in
                let missed = try await server.url.post(hashOnly)
                #expect(missed.status == 200)
                #expect(
                    missed.body == """
                        {"errors":[{"message":"PersistedQueryNotFound",\
                        "extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}
                        """)
                let unlearned = try await server.url.ask(document)
                #expect(unlearned.body == data)
                #expect(try await server.url.post(hashOnly).body == missed.body)

                let sent = try await server.url.ask(document, extensions)
                #expect(sent.body == data)
                #expect(try await server.url.post(hashOnly).body == data)
                let got = try await server.url.get([
                    ("operationName", ""), ("variables", "{}"), ("extensions", persisted(hash)),
                ])
                #expect(got.body == data)
                #expect(try await server.url.get([("documentId", "sha256:\(hash)")]).body == data)
            }
        }

        @Test("a server that ignores hashes refuses a request without a document, with a status that can be chosen")
        func refusal() async throws {
            try await withServer { server in
                for status in [200, 400, 422] {
                    let reply = try await server.url.post(hashOnly, switches: "apq=off&refusalStatus=\(status)")
                    #expect(reply.status == status)
                    #expect(reply.body.contains("The query must be a string."))
                }
            }
        }

        @Test("registries know nothing of one another, and servers neither")
        func registries() async throws {
            try await withServer { server in
                _ = try await server.url.ask(document, extensions, switches: "registry=a")
                #expect(try await server.url.post(hashOnly, switches: "registry=a").body == data)
                #expect(try await server.url.post(hashOnly, switches: "registry=b").body != data)
                try await withServer { other in
                    let reply = try await other.url.post(hashOnly, switches: "registry=a")
                    #expect(reply.body != data)
                }
            }
        }

        @Test("a byte order mark is a part of the document, as its hash says")
        func byteOrderMark() async throws {
            try await withServer { server in
                // The output of `sha256sum` for the mark and the document.
                let hash = "7da2e2a1fcad25832eabcb704f474b4c9453642c1cfa49a2e0a19f70130109cd"
                let reply = try await server.url.ask("\u{FEFF}\(document)", ",\"extensions\":\(persisted(hash))")
                #expect(reply.body == data)
                #expect(try await server.url.post("{\"extensions\":\(persisted(hash))}").body == data)
            }
        }

        @Test(
            "extensions that do not fit are refused",
            arguments: [
                (#"{"persistedQuery":{"version":1,"sha256Hash":"00"}}"#, "provided sha does not match query"),
                (#"{"persistedQuery":{"version":2,"sha256Hash":"00"}}"#, "Unsupported persisted query version"),
                (#"{"persistedQuery":{"version":1}}"#, "persistedQuery.sha256Hash must be a string."),
            ])
        func wrongExtensions(_ extensions: String, _ message: String) async throws {
            try await withServer { server in
                let reply = try await server.url.ask(document, ",\"extensions\":\(extensions)")
                #expect(reply.status == 400)
                #expect(reply.body.contains(message))
                #expect(try await server.url.post(#"{"extensions":\#(persisted("00"))}"#).body.contains("NotFound"))
            }
        }

        @Test(
            "a miss is told as the switches say",
            arguments: [
                ("miss=message", 200, #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#),
                ("miss=message&case=odd", 200, #"{"errors":[{"message":"pERSISTEDQUERYNOTFOUND"}]}"#),
                (
                    "miss=code&missStatus=404", 404,
                    #"{"errors":[{"message":"The document is not known.","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#
                ),
                (
                    "miss=both&missStatus=400&missData=1", 400,
                    """
                    {"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}],\
                    "data":null}
                    """
                ),
                (
                    "apq=unsupported", 200,
                    """
                    {"errors":[{"message":"PersistedQueryNotSupported",\
                    "extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}]}
                    """
                ),
                (
                    "apq=unsupported&miss=code&missStatus=400", 400,
                    """
                    {"errors":[{"message":"Send the document itself.",\
                    "extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}]}
                    """
                ),
                ("apq=unsupported&miss=message", 200, #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#),
                (
                    "apq=off", 400,
                    #"{"errors":[{"message":"The query must be a string.","extensions":{"code":"BAD_REQUEST"}}]}"#
                ),
                (
                    "apq=unknown", 500,
                    #"{"errors":[{"message":"Internal Server Error","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#
                ),
            ])
        func misses(_ switches: String, _ status: Int, _ body: String) async throws {
            try await withServer { server in
                let reply = try await server.url.post(hashOnly, switches: switches)
                #expect(reply.status == status)
                #expect(reply.body == body)
                let full = try await server.url.ask(document, switches: switches)
                #expect(full.body == data, "without the extension every server answers")
            }
        }

        @Test(
            "servers that do not know of hashes ignore one that comes with the document", arguments: ["off", "unknown"])
        func ignored(_ apq: String) async throws {
            try await withServer { server in
                let wrong = ",\"extensions\":\(persisted("00"))"
                let reply = try await server.url.ask(document, wrong, switches: "apq=\(apq)")
                #expect(reply.body == data)
            }
        }

        @Test("a server can miss always, or forget after each answer")
        func forgetful() async throws {
            try await withServer { server in
                let twice = try await server.url.ask(document, extensions, switches: "alwaysMiss=1")
                #expect(twice.body.contains("PersistedQueryNotFound"))
                #expect(try await server.url.ask(document, extensions, switches: "forget=1").body == data)
                #expect(try await server.url.post(hashOnly).body.contains("PersistedQueryNotFound"))
            }
        }

        @Test(
            "what is registered is executed with safelist=1, and nothing else",
            arguments: [
                #"{"format":"apollo-persisted-query-manifest","version":1,"operations":[{"id":"ID","name":"","type":"query","body":"BODY"}]}"#,
                #"[{"id":"ID","body":"BODY"}]"#, #"{"id":"ID","body":"BODY"}"#, #"{"ID":"BODY"}"#,
            ])
        func safelist(_ manifest: String) async throws {
            try await withServer { server in
                let switches = "safelist=1&registry=shop"
                let other = "{ hero { name } }"
                _ = try await server.url.ask(
                    other, ",\"extensions\":\(persisted(GraphQLStore.hash(of: other)))", switches: "registry=shop")
                for id in [hash, "hero.v1"] {
                    let body = manifest.replacingOccurrences(of: "ID", with: id)
                        .replacingOccurrences(of: "BODY", with: document)
                    let reply = try await server.url.reply(
                        to: "/graphql/register?registry=shop", method: "POST", body: body)
                    #expect(reply.body == #"{"registered":1}"#)
                }

                #expect(try await server.url.post(hashOnly, switches: switches).body == data)
                #expect(try await server.url.post(#"{"documentId":"hero.v1"}"#, switches: switches).body == data)
                #expect(
                    try await server.url.post(#"{"documentId":"hero.v1"}"#, switches: "\(switches)&forget=1").body
                        == data)
                #expect(try await server.url.get([("documentId", "hero.v1")], switches: switches).body == data)
                let learned = try await server.url.post(
                    "{\"extensions\":\(persisted(GraphQLStore.hash(of: other)))}", switches: switches)
                #expect(learned.body.contains("PersistedQueryNotFound"))
                let free = try await server.url.ask(document, switches: switches)
                #expect(free.body.contains("PERSISTED_QUERY_ID_REQUIRED"))
                let unknown = try await server.url.post(#"{"documentId":"hero.v2"}"#, switches: "registry=shop")
                #expect(unknown.body.contains("PersistedQueryNotFound"))
            }
        }
    }
#endif
