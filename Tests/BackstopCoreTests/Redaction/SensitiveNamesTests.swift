import BackstopCore
import BackstopTestSupport
import Testing

@Suite("Names that an app adds and removes", .limited)
struct SensitiveNamesTests {
    @Test("count as before where what was removed is added again, also inside other words")
    func addedAgain() {
        let redaction = Redaction.standard.removing("token")
        #expect(!redaction.isSensitive("accesstoken"))
        #expect(redaction.adding("token").isSensitive("accesstoken"))
    }

    @Test("are shown in a query where they were removed, though they are secrets there")
    func code() {
        let text = "https://shop.example/cb?code=ab12cd34"
        #expect(Redaction.standard.url(text) == "https://shop.example/cb?code=<redacted>")
        #expect(Redaction.standard.removing("code").url(text) == text)
    }

    @Test(
        "have a second factor in them only as a word", arguments: [("2fa", true), ("12fa", false), ("2fabric", false)])
    func secondFactor(name: String, isSensitive: Bool) {
        #expect(Redaction.standard.isSensitive(name) == isSensitive)
    }

    @Test("of several codes hide all of them, whatever they look like")
    func codes() {
        let shown = Redaction.standard.body(#"{"backup_codes":["kiwi","plum"]}"#, contentType: "application/json")
        #expect(!shown.contains("kiwi") && !shown.contains("plum"))
    }

    @Test("of a query are found in each header that has a URL", arguments: ["Location", "Content-Location", "Referer"])
    func headers(name: String) {
        #expect(Redaction.standard.header(name, "/cb?code=ab12cd34") == "/cb?code=<redacted>")
    }
}
