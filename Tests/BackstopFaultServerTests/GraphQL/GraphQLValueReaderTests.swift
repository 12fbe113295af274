#if Demo
    import Testing

    @testable import BackstopFaultServer

    @Suite("Reading the JSON of GraphQL requests")
    struct GraphQLValueReaderTests {
        @Test(
            "JSON is read and written again without loss",
            arguments: [
                "null", "true", "false", "0", "-1", "9223372036854775807", "1.5", "\"\"", "[]", "{}",
                #"{"b":[1,{"a":null}],"a":"x\"\\\n\t"}"#, "\"Grüße 🚀\"",
            ])
        func roundTrip(_ text: String) throws {
            #expect(try GraphQLValueReader.read(text.utf8).json == text)
        }

        @Test(
            "escapes, white space and numbers mean what RFC 8259 says",
            arguments: [
                (#" "\u00fc\ud83d\ude80\/\b\f" "#, GraphQLValue.string("ü🚀/\u{8}\u{C}")),
                ("\t[ 1 ,\r\n2 ] ", .array([.int(1), .int(2)])),
                ("1e3", .double(1000)), ("1E-1", .double(0.1)), ("-0.5", .double(-0.5)),
                ("18446744073709551615", .double(18_446_744_073_709_551_616)),
                (#"{"a":1,"a":2}"#, .object(["a": .int(2)])),
            ])
        func meaning(_ text: String, _ value: GraphQLValue) throws {
            #expect(try GraphQLValueReader.read(text.utf8) == value)
        }

        @Test(
            "what is no JSON is refused",
            arguments: [
                "", " ", "tru", "nul", "01", "-", "+1", ".5", "1.", "1.e5", "1e", "0x10", "1_0", "inf", "nan", "NaN",
                "[1,]", "[1", "[,]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}", "1 2", "\"",
                "\"\u{1}\"",
                "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "'a'",
                "\u{FEFF}1", String(repeating: "[", count: 1_000_000),
                String(repeating: "{\"a\":", count: 200) + "1" + String(repeating: "}", count: 200),
            ])
        func refusal(_ text: String) {
            #expect(throws: GraphQLValueReader.Problem.self) { try GraphQLValueReader.read(text.utf8) }
        }

        @Test("bytes that are not UTF-8 are refused")
        func notUTF8() {
            #expect(throws: GraphQLValueReader.Problem(offset: 2, reason: "bytes that are not UTF-8")) {
                try GraphQLValueReader.read([0x22, 0xE9, 0x22])
            }
        }
    }
#endif
