#if AsyncHTTPClient && Demo
    import Backstop
    import BackstopAsyncHTTPClient
    import BackstopStreams
    import BackstopTestSupport
    import BackstopTesting
    import Testing

    @Suite("A stream over HTTP/2", .sockets)
    struct HTTP2StreamTests {
        private static let head = HTTP2Server.Frame.head([(":status", "200")])

        /// RST_STREAM for the first request of a connection (RFC 9113, 6.4).
        private static func reset(_ code: UInt8) -> HTTP2Server.Frame {
            .bytes([0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, code])
        }

        /// GOAWAY after the first request of a connection (RFC 9113, 6.8).
        private static let retired = HTTP2Server.Frame.bytes([0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])

        private func read(_ frames: [HTTP2Server.Frame]) async throws -> (lines: [String], failure: Failure?) {
            var lines: [String] = []
            var failure: Failure?
            try await HTTP2Server.run(["/rows": frames]) { server in
                var handling = FailureHandling()
                handling.log = RecordingLog()
                let client = try Client(
                    baseURL: server.origin, transport: AsyncHTTPClientTransport.trusting(), handling: handling
                ) {
                    Retry(try RetryPolicy(attempts: 3, backoff: .none))
                    StatusValidation()
                }
                do throws(Failure) {
                    for try await line in try await client.stream("rows", as: .lines) { lines.append(line) }
                } catch {
                    failure = error
                }
                #expect(server.requests.all.count == 1)
            }
            return (lines, failure)
        }

        @Test("that is reset gives what had come and fails, whatever the server calls that", arguments: 0...13)
        func reset(code: UInt8) async throws {
            let (lines, failure) = try await read([Self.head, .data("a\nb\nc"), .flush, Self.reset(code)])

            #expect(lines == ["a", "b"])
            // A rule that one of the two has broken will be broken again (RFC 9113, 7).
            let isRule = [1, 3, 4, 6, 9, 10, 12, 13].contains(code)
            #expect(failure?.code == (isRule ? "transport.badResponse" : "transport.lost"))
            #expect(failure?.transfer == TransferReport(bytes: 5, elements: 2))
            #expect(failure?.stopReason == .begun)
        }

        @Test("that is reset after its end is whole (RFC 9113, 8.1)", arguments: [0, 8])
        func late(code: UInt8) async throws {
            let (lines, failure) = try await read([Self.head, .data("a\nb", ends: true), .flush, Self.reset(code)])

            #expect(lines == ["a", "b"])
            #expect(failure == nil)
        }

        @Test("goes on to its end on a connection that takes no other request")
        func goesOn() async throws {
            let (lines, failure) = try await read([
                Self.head, .data("a\n"), .flush, Self.retired, .data("b\n", ends: true),
            ])

            #expect(lines == ["a", "b"])
            #expect(failure == nil)
        }

        @Test("fails in the middle when its connection breaks a rule")
        func broken() async throws {
            // DATA for no stream.
            let (lines, failure) = try await read([
                Self.head, .data("a\n"), .flush, .bytes([0, 0, 1, 0, 0, 0, 0, 0, 0, 1]),
            ])

            #expect(lines == ["a"])
            #expect(failure?.code.hasPrefix("transport.") == true)
            #expect(failure?.transfer?.elements == 1)
        }

        @Test("that is compressed is read as any other")
        func compressed() async throws {
            let head = HTTP2Server.Frame.head([(":status", "200"), ("content-encoding", "gzip")])
            // "a\nb\n" by gzip (RFC 1952) in one stored block (RFC 1951, 3.2.4).
            let gzip: [UInt8] = [
                0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 4, 0, 0xFB, 0xFF, 0x61, 0x0A, 0x62, 0x0A, 0x97, 0x2A, 0x57, 0x18,
                4,
                0, 0, 0,
            ]
            let (lines, failure) = try await read([head, .content(gzip, ends: true)])

            #expect(lines == ["a", "b"])
            #expect(failure == nil)
        }

        @Test("that announces more than comes, or less, is not whole", arguments: ["4", "1"])
        func length(announced: String) async throws {
            let head = HTTP2Server.Frame.head([(":status", "200"), ("content-length", announced)])
            let (_, failure) = try await read([head, .data("a\n", ends: true)])

            #expect(failure?.code.hasPrefix("transport.") == true)
        }
    }
#endif
