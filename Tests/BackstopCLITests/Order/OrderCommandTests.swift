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
                ("Deadline(5s), Retry(attempts: 5, cap: 20s), AttemptTimeout(2s)", 1),
                ("Deadline(60s), Retry(5), AttemptTimeout(limit: 2s)", 0),
                ("retry(attempts:2,base:300ms,cap:1min,jitter:true)", 0),
                ("retry()", 0),
                ("RequestLogging, ConnectivityCheck(wait: 5s), Retry, BearerAuthentication, StatusValidation", 0),
                ("RequestTracing, ResponseCache, Fallback, Hedging, Bulkhead, RateLimiter, CircuitBreaker", 0),
                ("BearerAuthentication, Retry", 1),
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

        @Test("draws for Markdown and for Graphviz, with what is wrong as a comment")
        func diagrams() async throws {
            let right = try await Command.run("order", "--format", "mermaid", "deadline(5s), retry")
            #expect(right.status == 0)
            #expect(right.output.hasPrefix("flowchart TB\n"))
            #expect(right.output.contains("n1[\"deadline<br/>timeLimit: 5 s\"]"))
            let wrong = try await Command.run("order", "--format", "dot", "retry, deadline")
            #expect(wrong.status == 1)
            #expect(wrong.output.hasPrefix("// "))
            #expect(wrong.output.contains("\ndigraph chain {\n"))
            #expect(wrong.output.hasSuffix("}\n"))
        }

        @Test(
            "shows each rule, about roles and about settings",
            arguments: [
                ("statusValidation, retry", "error: Retry is inside StatusValidation"),
                ("decoding, retry", "warning: Retry is inside Decoding"),
                ("apiErrorDecoding, retry", "error: Retry is inside APIErrorDecoding"),
                ("retry, deadline", "error: Deadline is inside Retry"),
                ("attemptTimeout, retry", "error: Retry is inside AttemptTimeout"),
                ("Deadline(5s), AttemptTimeout(5s)", "error: One attempt may take 5 s, and the call 5 s"),
                ("retry, fallback", "error: Fallback is inside Retry"),
                ("retry(3), retry(attempts: 4)", "warning: Retry occurs more than once, for up to 3 × 4 = 12 attempts"),
                ("circuitBreaker, retry", "warning: Retry is inside CircuitBreaker"),
                ("authentication, retry", "warning: Retry is inside Authentication"),
                ("statusValidation, authentication", "error: Authentication is inside StatusValidation"),
                ("retry, cache", "warning: Cache is inside Retry"),
                ("authentication, cache", "warning: Cache is inside Authentication"),
                ("hedging(unsafe: true)", "error: Hedging sends copies of requests that are not idempotent"),
                ("retry(rejections: true), rateLimiter", "warning: Retry retries the refusals of RateLimiter"),
                (
                    "circuitBreaker(15s), attemptTimeout(10s)",
                    "warning: One attempt may take 10 s, and CircuitBreaker looks back 15 s"
                ),
                (
                    "deadline(1s), retry(attempts: 3)",
                    "warning: The waits of Retry may add up to 1.5 s, and the call may take 1 s"
                ),
                ("retry(jitter: false)", "warning: Retry waits without jitter"),
                ("retry(cap: 2h)", "warning: Retry waits without a cap"),
            ])
        func rules(chain: String, finding: String) async throws {
            let command = try await Command.run("order", chain)
            #expect(command.status == 1)
            #expect(command.output.contains(finding))
        }

        @Test(
            "says what is wrong with a setting, and what may be written",
            arguments: [
                ("deadline(soon)", "limit of deadline must be a time, such as 300ms, 5s, 2min or 1h, but is \"soon\""),
                ("retry(attempts: many)", "attempts of retry must be a number, such as 3, but is \"many\""),
                ("retry(jitter: no)", "jitter of retry must be true or false, but is \"no\""),
                ("retry(speed: 3)", "retry cannot be told \"speed: 3\". It can be told, once each: attempts, base"),
                ("retry(3, 4)", "retry cannot be told \"4\""),
                ("retry(attempts: 0)", "must be from 1 to 100, but is 0"),
                ("logging(5s)", "logging has no settings here; leave out \"(5s)\""),
                ("retry(3", "The parentheses in \"retry(3\" do not match"),
                ("retry)3(", "do not match"),
                ("retry(3)x", "There is no role \"retry(3)x\""),
            ])
        func mistakes(chain: String, text: String) async throws {
            let command = try await Command.run("order", chain)
            #expect(command.status == 2)
            #expect(command.errors.contains(text), "\(command.errors)")
        }
    }
#endif
