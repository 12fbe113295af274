#if Demo
    import Foundation

    /// Answers that take long, or never come.
    enum SlowRoutes {
        static let all = [
            FaultServer.Route("/hang", "Never answers") { _ in
                .script { _ in try await never() }
            },
            FaultServer.Route("/hang-body", "The head, some bytes, and then nothing") { _ in
                .script { writer in
                    try await writer.sendHead(type: "application/json", framing: .length(1000), first: Data("[1,".utf8))
                    return try await never()
                }
            },
            FaultServer.Route("/slow", example: "/slow?chunks=10&ms=100", "N chunks with a pause after each") { call in
                let chunks = call.request.integer("chunks", default: 10, in: 0...1_000_000)
                let pause = call.request.integer("ms", default: 100, in: 0...Limits.pause)
                return .script { try await drip(chunks: chunks, pause: pause, to: $0) }
            },
            FaultServer.Route(
                "/delay", example: "/delay?ms=500",
                "200 after N milliseconds; with times=N and id=a, only the first N calls with this id wait"
            ) { call in
                let waits = call.counted("delay").isEarly
                let pause = waits ? call.request.integer("ms", default: 500, in: 0...Limits.pause) : 0
                return .script { writer in
                    try await Task.sleep(for: .milliseconds(pause))
                    try await writer.send(.json("{\"ok\":true}"))
                    return .next
                }
            },
            FaultServer.Route(
                "/big", example: "/big?bytes=10485760",
                "N bytes, streamed in pieces of 64 KiB; chunked=1 without a length"
            ) { call in
                let size = call.request.integer("bytes", default: 10 * 1024 * 1024, in: 0...Limits.stream)
                let isChunked = call.request.flag("chunked")
                return .script { try await stream(size, isChunked: isChunked, to: $0) }
            },
        ]

        private static let piece = Data(repeating: UInt8(ascii: "b"), count: 65_536)

        /// Waits until the task is cancelled: because the client has left, or the server stops.
        static func never() async throws -> Ending {
            let (nothing, source) = AsyncStream<Never>.makeStream()
            for await _ in nothing {}
            // Kept until here: a stream ends when its source is gone.
            source.finish()
            throw CancellationError()
        }

        private static func drip(chunks: Int, pause: Int, to writer: ResponseWriter) async throws -> Ending {
            try await writer.sendHead(type: "text/plain; charset=utf-8", framing: .chunked)
            guard !writer.omitsBody else { return .next }
            for number in 0..<chunks {
                try await writer.sendChunk(Data("chunk \(number + 1)\n".utf8))
                try await Task.sleep(for: .milliseconds(pause))
            }
            try await writer.endChunks()
            return .next
        }

        private static func stream(_ size: Int, isChunked: Bool, to writer: ResponseWriter) async throws -> Ending {
            try await writer.sendHead(type: "application/octet-stream", framing: isChunked ? .chunked : .length(size))
            guard !writer.omitsBody else { return .next }
            var body = StreamRoutes.Body(writer: writer, isChunked: isChunked, piece: piece.count, left: size)
            while body.left > 0 { try await body.put(piece, isLast: true) }
            return try await body.end()
        }
    }
#endif
