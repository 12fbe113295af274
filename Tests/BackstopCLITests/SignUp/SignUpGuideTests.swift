#if Demo
    import BackstopTestSupport
    import Testing

    @Suite("The guide to the sign-up form", .limited)
    struct SignUpGuideTests {
        @Test("shows the code of the form word for word", arguments: ["UserNameCheck.swift", "SignUpModel.swift"])
        func blocks(name: String) throws {
            let block = try #require(try Guide("Docs/SignUp.md").blocks.first { $0.text.contains(Self.mark(of: name)) })
            // The sources stand inside `#if Demo`, and their imports say what they are for.
            let lines = try Guide(source: name).text.split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !["#if Demo", "#endif"].contains($0) }
                .map { String($0.hasPrefix("    ") ? $0.dropFirst(4) : $0) }
                .map { $0.hasPrefix("internal import") ? String($0.dropFirst("internal ".count)) : $0 }
            #expect(block.text == lines.joined(separator: "\n"))
        }

        /// What only one of the blocks has.
        private static func mark(of name: String) -> String {
            name == "UserNameCheck.swift" ? "struct UserNameCheck" : "final class SignUpModel"
        }
    }
#endif
