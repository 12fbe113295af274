#if Demo
    import BackstopTestSupport
    import Testing

    @Suite("backstop order", .sockets)
    struct OrderCommandTests {
        @Test("explains that retry never sees a status failure")
        func explains() async throws {
            let command = try await Command.run("order", "logging,statusValidation,retry")
            #expect(command.status == 1)
            #expect(command.output.contains("Retry is inside StatusValidation"))
            #expect(command.output.contains("Retry never sees a status failure"))
            #expect(command.output.contains("Put Retry above StatusValidation."))
        }

        @Test(
            "exits with 0 for a right order, 1 for a wrong one, 2 for an unknown role",
            arguments: [
                ("logging,deadline,retry,decoding,statusValidation,apiErrorDecoding,attemptTimeout", 0 as Int32),
                ("logging, retry", 0),
                ("custom(tenant),retry,custom(signing)", 0),
                ("retry", 0),
                ("retry,deadline", 1),
                ("apiErrorDecoding,statusValidation", 1),
                ("retry,retry", 1),
                ("bogus", 2),
                ("retry,custom()", 2),
                ("", 2),
                (",", 2),
            ])
        func status(roles: String, expected: Int32) async throws {
            let command = try await Command.run("order", roles)
            #expect(command.status == expected)
        }

        @Test("draws the chain, outermost first, down to the transport")
        func picture() async throws {
            let command = try await Command.run("order", "logging,retry,custom(signing)")
            let picture = """
                request                  response
                  ↓ logging              ↑
                  ↓   retry              ↑
                  ↓     custom(signing)  ↑
                  ↓       transport      ↑
                """
            #expect(command.output.hasPrefix(picture))
        }
    }
#endif
