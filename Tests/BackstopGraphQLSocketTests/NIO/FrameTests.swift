#if AsyncHTTPClient && !canImport(Darwin)
    import Backstop
    import BackstopCore
    import BackstopStreams
    import BackstopTestSupport
    import Foundation
    import NIOCore
    import NIOEmbedded
    import NIOWebSocket
    import Testing

    @testable import BackstopGraphQLSocket
    @testable import BackstopTesting

    @Suite("The frames of a socket", .sockets)
    struct FrameTests {
        /// What a server does against the rules, and the close that it gets.
        enum Fault: String, CaseIterable, Sendable {
            case masked, reserved, unknownOpcode, unknownControl, binary, notUTF8, cutUTF8, strayContinuation, nested
            case longPing, partPing, shortClose, long, longInParts, longest, notJSON

            func send(_ peer: Peer) {
                let text = Array(#"{"type":"pong"}"#.utf8)
                let long = Array(repeating: UInt8(ascii: "a"), count: 3000)
                switch self {
                case .masked: peer.frame(.text, text, mask: [1, 2, 3, 4])
                case .reserved: peer.frame(.text, text, rsv1: true)
                case .unknownOpcode: peer.raw([0x83, 0])
                case .unknownControl: peer.raw([0x8B, 0])
                case .binary: peer.frame(.binary, text)
                case .notUTF8: peer.frame(.text, [0x22, 0xFF, 0x22])
                case .cutUTF8: peer.frame(.text, [0x22, 0xC3])
                case .strayContinuation: peer.frame(.continuation, text)
                case .nested:
                    peer.frame(.text, text, fin: false)
                    peer.frame(.text, text)
                case .longPing: peer.raw([0x89, 126, 0, 126] + Array(repeating: 0, count: 126))
                case .partPing: peer.raw([0x09, 0])
                case .shortClose: peer.raw([0x88, 1, 3])
                case .long: peer.frame(.text, long)
                case .longInParts:
                    peer.frame(.text, Array(long.prefix(1000)), fin: false)
                    peer.frame(.continuation, Array(long.prefix(1000)), fin: false)
                    peer.frame(.continuation, Array(long.prefix(1000)), fin: false)
                case .longest: peer.raw([0x81, 127, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
                case .notJSON: peer.say("hello")
                }
            }

            var code: UInt16 {
                switch self {
                case .masked, .reserved, .unknownOpcode, .unknownControl: 1002
                case .strayContinuation, .nested, .longPing, .partPing, .shortClose: 1002
                case .binary: 1003
                case .notUTF8, .cutUTF8: 1007
                case .long, .longInParts, .longest: 1009
                case .notJSON: 4400
                }
            }
        }

        @Test(
            "are refused when they break a rule, with the right close, and end all operations: one that is alone for good",
            arguments: Fault.allCases, [1, 2])
        func faults(_ fault: Fault, count: Int) async throws {
            try await SocketServer.with { server in
                let socket = try GraphQL.Socket(server.url, longest: 2048)
                let tasks = (0..<count).map { _ in Task { try await socket.ask() } }
                let peer = try await server.peer()
                await peer.waitFor("subscribe", times: count)
                fault.send(peer)
                for task in tasks {
                    let error = await #expect(throws: TransportError.self) { try await task.value }
                    #expect(error?.code == (count == 1 ? .badResponse : .lost) && error?.phase == .waiting)
                    #expect(error?.detail.hasPrefix("The server ") == true, "\(error?.detail ?? "")")
                    let report = error.map { Failure($0).report } ?? ""
                    #expect(!report.contains("HTTP") && !report.contains("closes connections early"), "\(report)")
                    #expect(report.contains("Raise GraphQL.Socket.longest") == (fault.code == 1009))
                }
                await peer.state.wait { $0.hasEnded }
                let end = peer.state.withLock { $0 }
                #expect(end.close == fault.code, "\(end.error ?? "no error") after \(end.messages)")
            }
        }

        @Test("are put together, however a message is cut, with pings between")
        func parts() async throws {
            try await SocketServer.with { server in
                let socket = try GraphQL.Socket(server.url)
                async let opened = socket.client(at: server.origin).stream(Ask(), as: .lines)
                let peer = try await server.peer()
                await peer.waitFor("subscribe")
                var lines = try await opened.makeAsyncIterator()
                let message = Array(#"{"type":"next","id":"1","payload":{"data":"äöü€😀"}}"#.utf8)
                for size in 1...message.count {
                    for start in stride(from: 0, to: message.count, by: size) {
                        peer.frame(
                            start == 0 ? .text : .continuation, Array(message[start...].prefix(size)),
                            fin: start + size >= message.count)
                        if start == 0 {
                            peer.frame(.ping, Array("\(size)".utf8))
                            peer.frame(.continuation, [], fin: false)
                        }
                        if start + size >= message.count, start == 0 {
                            break
                        }
                    }
                    guard size < message.count else {
                        break
                    }
                    #expect(try await lines.next() == #"{"data":"äöü€😀"}"#)
                }
            }
        }

        @Test("of WebSocket pings are answered once each, with the same bytes")
        func pings() async throws {
            try await SocketServer.with { server in
                let socket = try GraphQL.Socket(server.url)
                async let answer = socket.ask()
                let peer = try await server.peer()
                await peer.waitFor("subscribe")
                for number in 0..<100 {
                    peer.frame(.ping, Array("\(number)".utf8))
                    peer.say(#"{"type":"ping","payload":{"n":\#(number)}}"#)
                }
                await peer.waitFor("pong", times: 100)
                await peer.state.wait { $0.pongs.count >= 100 }
                peer.next("1", #"{"data":1}"#)
                peer.complete("1")
                #expect(try await answer == #"{"data":1}"#)
                #expect(peer.state.withLock { $0.pongs } == (0..<100).map { "\($0)" })
                let pongs = peer.state.withLock { $0.messages }.filter { $0.contains("pong") }
                #expect(pongs == (0..<100).map { #"{"type":"pong","payload":{"n":\#($0)}}"# })
            }
        }

        @Test("of pings to a server that does not read are not answered one by one")
        func pongs() throws {
            let channel = EmbeddedChannel()
            try channel.pipeline.syncOperations.addHandler(FrameHandler(longest: 1024) { _ in })
            func ping(_ number: Int) throws {
                try channel.writeInbound(
                    WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer(string: "\(number)")))
            }
            var pongs: [String] {
                get throws {
                    var pongs: [String] = []
                    while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
                        pongs.append(String(buffer: frame.data))
                    }
                    return pongs
                }
            }
            try ping(1)
            channel.isWritable = false
            for number in 2...1000 { try ping(number) }
            #expect(try pongs == ["1"])
            channel.isWritable = true
            channel.pipeline.fireChannelWritabilityChanged()
            #expect(try pongs == ["1000"])
            _ = try channel.finish(acceptAlreadyClosed: true)
        }

        @Test("count as signs of life before they are complete")
        func heard() async throws {
            try await SocketServer.with { server in
                let heard = WatchedState(0)
                let target = SocketTarget(
                    url: try SocketURL(server.url), headers: [:], longest: 1024, patience: .seconds(60))
                let connection = ChannelConnection(target, SocketSecurity(nil))
                connection.open { event in
                    switch event {
                    case .opened, .heard: heard.withLock { $0 += 1 }
                    default: break
                    }
                }
                let peer = try await server.peer()
                for (count, byte) in ([0x81, 100, 0x20] as [UInt8]).enumerated() {
                    await heard.wait { $0 > count }
                    peer.raw([byte])
                }
                await heard.wait { $0 == 4 }
                connection.close(code: 1000, reason: "")
            }
        }
    }
#endif
