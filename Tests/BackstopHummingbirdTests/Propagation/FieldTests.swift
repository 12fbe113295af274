#if Hummingbird
    import Backstop
    import Testing

    @testable import BackstopHummingbird

    @Suite("What is read from the fields of an incoming request")
    struct FieldTests {
        @Test(
            "a time is a number of seconds up to a day, or of milliseconds",
            arguments: [
                ("Request-Timeout", "0", 0), ("Request-Timeout", "2", 2), ("Request-Timeout", "2.5", 2.5),
                ("Request-Timeout", "9999999999999999", 86_400), ("X-Envoy-Expected-Rq-Timeout-Ms", "2500", 2.5),
            ])
        func time(name: String, text: String, seconds: Double) {
            #expect(TimeoutField(name: HTTP.Headers.Name(name)).time(text) == .seconds(seconds))
        }

        @Test(
            "anything else is no time",
            arguments: [
                "", ".", "-1", "+1", "1e9", "nan", "inf", "0x10", "1.2.3", "5, 5", " 5", "5s", "12345678901234567",
            ])
        func noTime(text: String) {
            #expect(TimeoutField(name: "Request-Timeout").time(text) == nil)
        }

        private static let valid = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

        @Test(
            "a traceparent that W3C allows is passed on",
            arguments: [valid, "cc\(valid.dropFirst(2))-what-the-future-will-be-like"])
        func parent(text: String) {
            #expect(TraceContext(parent: text, state: nil)?.parent == text)
        }

        @Test(
            "any other is not",
            arguments: [
                nil, "", "00", "\(valid)-more", "ff\(valid.dropFirst(2))", valid.uppercased(), "\(valid),\(valid)",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "cc\(valid.dropFirst(2))-\(String(repeating: "x", count: 80))",
            ])
        func noParent(text: String?) {
            #expect(TraceContext(parent: text, state: "a=1") == nil)
        }

        @Test("a long tracestate is left out")
        func state() {
            let text = "a=\(String(repeating: "x", count: 510))"
            #expect(TraceContext(parent: Self.valid, state: text)?.state == text)
            let long = TraceContext(parent: Self.valid, state: text + "x")
            #expect(long?.parent == Self.valid)
            #expect(long?.state == nil)
        }
    }
#endif
