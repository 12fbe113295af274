import BackstopTestSupport
import Foundation
import Testing

@testable import Backstop

@Suite("Responses as URLSession gives them", .limited)
struct ReplyTests {
    @Test("header fields are sorted by name")
    func sorted() {
        let headers = Reply.headers(["b": "2", "a": "1", "c": "3"])
        #expect(headers.fields.map(\.name.text) == ["a", "b", "c"])
    }

    @Test("cookies that were joined are taken apart, the commas in their dates are not")
    func cookies() {
        let joined = "a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Path=/, b=2, c=x,y=z; HttpOnly"
        let headers = Reply.headers(["Set-Cookie": joined])
        #expect(
            headers[values: .setCookie] == [
                "a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Path=/", "b=2", "c=x,y=z; HttpOnly",
            ])
    }

    @Test("one cookie stays one", arguments: ["a=1", "", ",", "a", "a=1, nothing", " , , "])
    func oneCookie(text: String) {
        #expect(Reply.cookies(text) == [text])
    }

    @Test(
        "values lose the blanks around them and bare CRs",
        arguments: [("a  ", "a"), ("a\t", "a"), ("a\rb", "a b"), ("a b", "a b"), ("\r", ""), ("", "")])
    func cleaned(value: String, expected: String) {
        #expect(Reply.headers(["X-Form": value])["X-Form"] == expected)
    }

    @Test(
        "UTF-8 that was read as ISO 8859-1 is repaired, and nothing else",
        arguments: [
            ("/b\u{C3}\u{BC}cher", "/bücher"), ("\u{E2}\u{82}\u{AC}", "€"), ("b\u{FC}cher", "b\u{FC}cher"),
            ("bücher €", "bücher €"), ("plain", "plain"), ("", ""), ("\u{C3}", "\u{C3}"),
        ])
    func repaired(value: String, expected: String) {
        #expect(Reply.repaired(value) == expected)
    }

    @Test("other fields keep their commas")
    func others() {
        #expect(Reply.headers(["Warning": "199 - \"a, b=c\""])["Warning"] == "199 - \"a, b=c\"")
    }
}
