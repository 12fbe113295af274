#if Demo
    /// The page that tells what there is.
    enum ListingRoute {
        static let all = [
            FaultServer.Route("/", "This page") { _ in .response(.html(page)) }
        ]

        private static var page: String {
            let rows = Router.standard.routes.map { route in
                let target = escape(route.path)
                let cell = route.method == "GET" ? "<a href=\"\(target)\">\(target)</a>" : target
                return "<tr><td>\(route.method)</td><td>\(cell)</td><td>\(escape(route.description))</td></tr>"
            }
            return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <title>Backstop fault server</title>
                <style>
                body { font: 16px/1.5 sans-serif; margin: 2rem; color-scheme: light dark; }
                table { table-layout: fixed; width: 100%; }
                td, th { text-align: left; vertical-align: top; padding: 0.2rem 1.5rem 0.2rem 0; overflow-wrap: anywhere; }
                th:first-child { width: 5rem; }
                </style>
                </head>
                <body>
                <h1>Backstop fault server</h1>
                <p>Everything that can go wrong with an HTTP call, on demand.</p>
                <table>
                <tr><th>Method</th><th>Target</th><th>Answer</th></tr>
                \(rows.joined(separator: "\n"))
                </table>
                </body>
                </html>

                """
        }

        private static func escape(_ text: String) -> String {
            let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
            return text.map { entities[$0] ?? String($0) }.joined()
        }
    }
#endif
