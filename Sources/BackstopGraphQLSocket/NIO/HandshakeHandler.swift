#if AsyncHTTPClient && !canImport(Darwin)
    internal import Backstop
    internal import BackstopCore
    internal import Foundation
    internal import NIOCore
    internal import NIOHTTP1

    /// Sends the request that opens a connection, and takes a response that refuses to. On the event loop of its channel.
    final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundOut = HTTPClientRequestPart

        private let target: SocketTarget
        private let upgrader: SocketUpgrader
        private let isWanted: () -> Bool
        private let tell: (SocketEvent) -> Void
        private var head: HTTPResponseHead?
        private var body = Data()
        private var isOver = false

        init(
            _ target: SocketTarget, _ upgrader: SocketUpgrader, isWanted: @escaping () -> Bool,
            _ tell: @escaping (SocketEvent) -> Void
        ) {
            self.target = target
            self.upgrader = upgrader
            self.isWanted = isWanted
            self.tell = tell
        }

        func channelActive(context: ChannelHandlerContext) {
            guard isWanted() else {
                return context.close(promise: nil)
            }
            var headers = HTTPHeaders([("Host", target.url.authority)])
            for field in target.headers.fields {
                headers.add(name: field.name.text, value: field.value)
            }
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target.url.target, headers: headers)
            context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch Self.unwrapInboundIn(data) {
            case .head(let head):
                guard head.status != .switchingProtocols else {
                    return refuse(context, upgrader.problem)
                }
                guard !(200..<300).contains(head.status.code) else {
                    return refuse(
                        context,
                        "The server answered the request for a WebSocket with \(head.status.code), as to any other: "
                            + "there is no WebSocket at this URL")
                }
                self.head = head
            case .body(let part):
                body.append(contentsOf: part.readableBytesView.prefix(SocketTarget.refusalLimit - body.count))
                if body.count == SocketTarget.refusalLimit {
                    answer(context)
                }
            case .end:
                answer(context)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if error is NIOHTTPClientUpgradeError {
                refuse(context, upgrader.problem)
            } else {
                finish(context, .failed(SocketErrorTable.error(for: error)))
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            finish(
                context,
                .failed(
                    TransportError(
                        .lost, phase: .connecting,
                        detail: "The server closed the connection before it answered the request for a WebSocket")))
            context.fireChannelInactive()
        }

        private func answer(_ context: ChannelHandlerContext) {
            guard let head else {
                return
            }
            var headers = HTTP.Headers()
            for (name, value) in head.headers {
                headers.addReceived(value, for: name)
            }
            finish(
                context,
                .answered(
                    HTTP.Response(
                        status: Int(head.status.code), headers: headers, body: body, url: target.url.url)))
        }

        private func refuse(_ context: ChannelHandlerContext, _ detail: String) {
            finish(context, .failed(TransportError(.badResponse, phase: .connecting, detail: detail)))
        }

        private func finish(_ context: ChannelHandlerContext, _ event: SocketEvent) {
            guard !isOver else {
                return
            }
            isOver = true
            tell(event)
            context.close(promise: nil)
        }
    }
#endif
