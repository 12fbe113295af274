#if AsyncHTTPClient && Demo
    import BackstopAsyncHTTPClient
    import BackstopTestSupport
    import Foundation
    import NIOCore
    import NIOPosix
    import Testing

    @Suite("A small response that decodes to a large one", .sockets)
    struct BombSocketTests {
        @Test("is stopped at the limit, whatever the encoding", arguments: ["gzip", "deflate"])
        func stopped(encoding: String) async throws {
            // 400 KB that decode to 64 MiB.
            let content = Self.zeros(matches: 260_112, encoding: encoding)
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\nContent-Length: \(content.count)\r\n\r\n"
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let answer = ByteBuffer(bytes: Array(head.utf8) + content)
                        try channel.pipeline.syncOperations.addHandler(OneAnswer(answer))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let url = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/"
            let transport = try AsyncHTTPClientTransport(responseLimit: 1 << 20)
            let error = await #expect(throws: TransportError.self) { _ = try await fetch(url, by: transport) }
            #expect(error?.code == .tooLarge, "\(String(describing: error))")
            try await channel.close()
        }

        /// Zero bytes, compressed with fixed Huffman codes (RFC 1951, 3.2.6): one literal, and matches of 258 bytes at
        /// the distance of 1. The checksum is left out, because nobody should get that far.
        private static func zeros(matches: Int, encoding: String) -> [UInt8] {
            var bytes: [UInt8] =
                encoding == "gzip" ? [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] : [0x78, 0x9C]
            var current: UInt8 = 0
            var count = 0
            func add(_ bits: [UInt8]) {
                for bit in bits {
                    current |= bit << count
                    count += 1
                    if count == 8 {
                        bytes.append(current)
                        current = 0
                        count = 0
                    }
                }
            }
            add([1, 1, 0])  // the last block, with fixed codes
            add([0, 0, 1, 1, 0, 0, 0, 0])  // the literal 0
            for _ in 0..<matches {
                add([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0])  // a length of 258, a distance of 1
            }
            add([0, 0, 0, 0, 0, 0, 0])  // the end
            return bytes + [current]
        }
    }

    private final class OneAnswer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: ByteBuffer

        init(_ answer: ByteBuffer) {
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.writeAndFlush(Self.wrapOutboundOut(answer), promise: nil)
        }
    }
#endif
