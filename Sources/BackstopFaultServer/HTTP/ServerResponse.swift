#if Demo
    import Foundation

    /// A well-formed answer, complete in memory.
    struct ServerResponse: Sendable {
        var status: Int
        var headers: [(name: String, value: String)]
        var body: Data

        init(status: Int = 200, type: String? = nil, headers: [(name: String, value: String)] = [], body: Data) {
            self.status = status
            self.headers = (type.map { [("Content-Type", $0)] } ?? []) + headers
            self.body = body
        }

        /// Plain text.
        static func text(_ text: String, status: Int = 200) -> Self {
            Self(status: status, type: "text/plain; charset=utf-8", body: Data(text.utf8))
        }

        /// JSON to the letter.
        static func json(_ text: String, status: Int = 200, type: String = "application/json") -> Self {
            Self(status: status, type: type, body: Data(text.utf8))
        }

        /// An HTML page.
        static func html(_ text: String, status: Int = 200) -> Self {
            Self(status: status, type: "text/html; charset=utf-8", body: Data(text.utf8))
        }

        /// `{"error":true,"reason":"..."}` with a status.
        static func failure(_ reason: String, status: Int) -> Self {
            .json(LiteralJSON.failure(reason), status: status)
        }

        /// The same with one more header field.
        func with(_ name: String, _ value: String?) -> Self {
            guard let value else { return self }
            var copy = self
            copy.headers.append((name, value))
            return copy
        }
    }
#endif
