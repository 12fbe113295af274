#if Demo
    import Foundation

    /// Documents that are well-formed answers: good ones, and ones that do not fit what a client expects.
    enum DocumentRoutes {
        static let all = [
            FaultServer.Route("/json", example: "/json?bytes=4096", "A JSON array of books, about N bytes long") {
                call in
                let size = call.request.integer("bytes", default: 4096, in: 0...Limits.document)
                let document = call.state.document(ofSize: size, make: SampleBooks.document)
                return .response(ServerResponse(type: "application/json", body: document))
            },
            FaultServer.Route("/books", "Two books in an envelope: {\"data\":[...]}") { _ in
                json(
                    "{\"data\":[{\"id\":1,\"title\":\"Dune\",\"price\":9.5},"
                        + "{\"id\":2,\"title\":\"Emma\",\"price\":7.25}]}")
            },
            FaultServer.Route("/wrong-type", "$.data.items[3].price is the string \"9,50\" instead of a number") { _ in
                json(items { $0 == 3 ? item($0, price: "\"9,50\"") : item($0) })
            },
            FaultServer.Route("/missing-key", "$.data.items[2].title is absent") { _ in
                json(items { $0 == 2 ? item($0, title: nil) : item($0) })
            },
            FaultServer.Route("/empty", "200, application/json, and no bytes") { _ in json("") },
            FaultServer.Route("/broken-json", "{\"a\": [1, 2,, 3]}") { _ in json("{\"a\": [1, 2,, 3]}") },
            FaultServer.Route("/bom-json", "Good JSON behind a byte order mark") { _ in json("\u{FEFF}{\"ok\":true}") },
            FaultServer.Route("/deep", example: "/deep?depth=600", "JSON arrays nested N levels deep") { call in
                let depth = call.request.integer("depth", default: 100, in: 1...(Limits.document / 2))
                return json(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
            },
            FaultServer.Route("/gzip", "{\"ok\":true} and 5000 spaces, compressed to 56 bytes") { _ in
                .response(
                    ServerResponse(type: "application/json", headers: [("Content-Encoding", "gzip")], body: compressed))
            },
            FaultServer.Route("/html-404", "404 with an HTML page") { _ in
                .response(
                    .html(page(title: "Not Found", "<h1>Not Found</h1><p>There is no such page.</p>"), status: 404))
            },
            FaultServer.Route("/sign-in", "200 with an HTML sign-in page, as a captive portal answers") { _ in
                .response(.html(page(title: "Sign in", signInForm)))
            },
        ]

        /// What `gzip` makes of `{"ok":true}` and 5000 spaces.
        private static let compressed = Data([
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xED, 0xC1, 0x31, 0x0D, 0x00, 0x20,
            0x0C, 0x00, 0x30, 0x2B, 0x64, 0x32, 0xF0, 0xB3, 0x8B, 0x83, 0x84, 0xC0, 0xB5, 0xE0, 0x1D, 0x15,
            0x7C, 0x6D, 0x2B, 0xE6, 0x88, 0xBE, 0xD7, 0xC9, 0xDB, 0x00, 0x00, 0x00, 0x00, 0x80, 0xEF, 0x1E,
            0x9C, 0xD4, 0x67, 0xF8, 0x93, 0x13, 0x00, 0x00,
        ])

        private static let signInForm = """
            <h1>Sign in</h1>
            <form method="post" action="/sign-in">
            <label>User name <input name="userName"></label>
            <label>Password <input name="password" type="password"></label>
            <button>Sign in</button>
            </form>
            """

        private static func json(_ text: String) -> Answer { .response(.json(text)) }

        private static func page(title: String, _ body: String) -> String {
            """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><title>\(title)</title></head>
            <body>
            \(body)
            </body>
            </html>

            """
        }

        /// Five items, deep in an envelope.
        private static func items(_ item: (Int) -> String) -> String {
            "{\"data\":{\"items\":[" + (0..<5).map(item).joined(separator: ",") + "],\"total\":5}}"
        }

        private static func item(_ index: Int, title: String? = "Dune", price: String = "9.5") -> String {
            let title = title.map { "\"title\":\(LiteralJSON.string("\($0), volume \(index + 1)"))," } ?? ""
            return "{\"id\":\(index + 1),\(title)\"price\":\(price)}"
        }
    }
#endif
