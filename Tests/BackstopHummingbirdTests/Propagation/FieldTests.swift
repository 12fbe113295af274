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
                ("Request-Timeout", "9999999999999999", 86_400), ("Request-Timeout", "1e308", 86_400),
                ("Request-Timeout", "1e999", 86_400), ("Request-Timeout", "-1", 0),
                ("Request-Timeout", "0.30000000000000004", 0.30000000000000004),
                ("X-Envoy-Expected-Rq-Timeout-Ms", "2500", 2.5),
            ])
        func time(name: String, text: String, seconds: Double) {
            #expect(TimeoutField(name: HTTP.Headers.Name(name)).time(text) == .seconds(seconds))
        }

        @Test(
            "anything else is no time",
            arguments: [
                "", ".", "-", "e1", "nan", "inf", "0x10", "1.2.3", "5, 5", " 5", "5s", "\u{665}",
                String(repeating: "1", count: 33),
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
                "cc\(valid.dropFirst(2))-\(String(repeating: "x", count: 80))", "cc\(valid.dropFirst(2))x",
                "cc\(valid.dropFirst(2))-é", "cc\(valid.dropFirst(2))-a b",
            ])
        func noParent(text: String?) {
            #expect(TraceContext(parent: text, state: "a=1") == nil)
        }

        @Test(
            "a tracestate that W3C allows is passed on",
            arguments: [
                "a=b", "a=1, b=2", "a=1,,b=2", "fw529a3039@dt=FfffFF:1/2", "1a_-*/@=a b\t,\tb=~!",
                (1...32).map { "a\($0)=b" }.joined(separator: ","),
            ])
        func state(text: String) {
            #expect(TraceContext(parent: Self.valid, state: text)?.state == text)
        }

        @Test(
            "any other tracestate is left out",
            arguments: [
                "garbage", "a", "a=", "=b", "a= ", "A=b", "a=b=c", "a=b,c", "a=é", "é=b", "a=b\u{1}", "_a=b", "a b=c",
                (1...33).map { "a\($0)=b" }.joined(separator: ","), "\(String(repeating: "a", count: 257))=b",
                "a=\(String(repeating: "b", count: 257))", String(repeating: "               ,", count: 31) + "?",
            ])
        func noState(text: String) {
            #expect(TraceContext(parent: Self.valid, state: text)?.state == nil)
        }

        @Test("a long tracestate is left out")
        func longState() {
            let text = "a=\(String(repeating: "x", count: 253)),b=\(String(repeating: "x", count: 254))"
            #expect(TraceContext(parent: Self.valid, state: text)?.state == text)
            let long = TraceContext(parent: Self.valid, state: text + "x")
            #expect(long?.parent == Self.valid)
            #expect(long?.state == nil)
        }
    }
#endif
