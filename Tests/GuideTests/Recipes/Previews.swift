import Backstop

#if DEBUG
    import BackstopTesting

    extension Client {
        /// A client that answers from a script and fails without retrying.
        static func preview(_ transport: ScriptedTransport) throws -> Client {
            try Client.standard(baseURL: "https://api.example.com/v1", transport: transport, retry: .never)
        }
    }

    /// Each is a server of its own, which answers any number of requests.
    enum PreviewServer {
        static let good = ScriptedTransport(.on(.get, "/v1/books", .json(200, #"[{"id":1,"title":"Dune"}]"#)))
        static let slow = ScriptedTransport(.on(.get, "/v1/books", .delay(.seconds(3), then: .json(200, "[]"))))
        static let silent = ScriptedTransport(.hang.repeated())
        static let down = ScriptedTransport(.status(503, headers: ["Retry-After": "60"]).repeated())
    }

    #if canImport(SwiftUI)
        import SwiftUI

        @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
        #Preview("Books") {
            if let client = try? Client.preview(PreviewServer.good) { BooksView(model: BooksModel(client: client)) }
        }

        @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
        #Preview("Down") {
            if let client = try? Client.preview(PreviewServer.down) { BooksView(model: BooksModel(client: client)) }
        }
    #endif
#endif
