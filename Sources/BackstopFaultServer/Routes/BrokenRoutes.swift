#if Demo
    import Foundation

    /// Answers that break HTTP or the connection.
    enum BrokenRoutes {
        static let all = [
            FaultServer.Route("/cut", "Announces 1000 bytes, sends about 300 and closes") { _ in
                .script { writer in
                    try await writer.sendHead(type: "application/json", framing: .length(1000), first: beginning)
                    return .close
                }
            },
            FaultServer.Route("/cut-chunked", "One chunk, no end of the chunks, then closes") { _ in
                .script { writer in
                    try await writer.sendHead(
                        type: "application/json", framing: .chunked, first: ResponseWriter.chunk(beginning))
                    return .close
                }
            },
            FaultServer.Route("/reset", "Reads the request and resets the connection before any byte") { _ in
                .script { _ in .reset }
            },
            FaultServer.Route("/reset-midway", "Resets the connection after a part of the body") { _ in
                .script { writer in
                    try await writer.sendHead(type: "application/json", framing: .length(1000), first: beginning)
                    // A reset throws away what the client has not read yet, so give it time to read.
                    try await Task.sleep(for: .milliseconds(100))
                    return .reset
                }
            },
            FaultServer.Route("/not-http", "Bytes that are not HTTP") { _ in
                .script { writer in
                    try await writer.connection.write(Data("\u{01}\u{02}\u{7F} this is not HTTP\r\n\r\n".utf8))
                    return .close
                }
            },
        ]

        /// The first 300 bytes of a good document.
        private static let beginning = SampleBooks.document(ofSize: 1000).prefix(300)
    }
#endif
