#if Demo
    public import Foundation

    extension FaultServer {
        /// A route of the caller's: a page or a service beside the faults.
        ///
        /// It goes before the server's own routes, and is there at `FaultServer.url` only, not at the other origin.
        ///
        /// ```swift
        /// let server = try await FaultServer.start(mounting: [
        ///     FaultServer.Mount("/hello") { call in .text("Hello, \(call.request.method).") }
        /// ])
        /// ```
        public struct Mount: Sendable {
            /// The path that it answers; one that ends in a slash, and is more than that, stands for all below it.
            public let path: String
            /// Writes the answer.
            let script: @Sendable (Call, ResponseWriter) async throws -> Ending

            /// Makes a route.
            ///
            /// - Parameters:
            ///   - path: The path, for example `/` or, with all that is below it, `/playground/`.
            ///   - answer: Answers a request. It is cancelled when the client leaves or the server stops.
            public init(_ path: String, answer: @escaping @Sendable (Call) async -> Response) {
                self.init(path) { call, writer in
                    let response = await answer(call)
                    // Nobody is there to read it.
                    try Task.checkCancellation()
                    return try await response.send(with: writer)
                }
            }

            /// Makes a route that writes its answer itself.
            ///
            /// - Parameter path: As for the others, or `*`: everything that no other is for. A server with such a route has
            ///   none of its own, no other origin, one request to a connection, and keeps no record of requests.
            package init(
                _ path: String, script: @escaping @Sendable (Call, ResponseWriter) async throws -> Ending
            ) {
                self.path = path
                self.script = script
            }

            /// Whether it is for all requests that no other is for.
            var takesAll: Bool { path == "*" }

            func matches(_ requested: String) -> Bool {
                takesAll || requested == path || path.count > 1 && path.hasSuffix("/") && requested.hasPrefix(path)
            }
        }
    }

    extension FaultServer.Mount {
        /// What a route of the caller's gets to see.
        public struct Call: Sendable {
            /// The request.
            public let request: RecordedRequest
            /// The origin of the server: `FaultServer.url`.
            public let url: URL
            /// The second origin of the server: `FaultServer.otherOrigin`.
            public let otherOrigin: URL
            /// The body, if it is long: for routes that write their answer themselves, where there is one for everything.
            package let coming: RequestBody?
        }

        /// What a route of the caller's answers.
        public struct Response: Sendable {
            /// The body.
            public enum Body: Sendable {
                /// All at once.
                case data(Data)
                /// Piece by piece, in chunks, each sent as soon as it is there. The stream ends when the client leaves.
                case stream(AsyncStream<Data>)
            }

            /// The status.
            public var status: Int
            /// The header fields, without those about the length of the body.
            public var headers: [(name: String, value: String)]
            /// The body.
            public var body: Body

            /// Makes a response.
            public init(status: Int = 200, headers: [(name: String, value: String)] = [], body: Body) {
                self.status = status
                self.headers = headers
                self.body = body
            }

            /// Plain text.
            public static func text(_ text: String, status: Int = 200) -> Self {
                Self(
                    status: status, headers: [("Content-Type", "text/plain; charset=utf-8")],
                    body: .data(Data(text.utf8)))
            }
        }
    }

    extension FaultServer.Mount.Response {
        func send(with writer: ResponseWriter) async throws -> Ending {
            switch body {
            case .data(let data):
                try await writer.send(ServerResponse(status: status, headers: headers, body: data))
            case .stream(let pieces):
                try await writer.sendHead(status: status, headers: headers, framing: .chunked)
                for await piece in pieces where !piece.isEmpty {
                    try await writer.sendChunk(piece)
                }
                try Task.checkCancellation()
                try await writer.endChunks()
            }
            return .next
        }
    }
#endif
