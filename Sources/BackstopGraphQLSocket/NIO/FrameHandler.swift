#if AsyncHTTPClient && !canImport(Darwin)
    internal import BackstopCore
    internal import Foundation
    internal import NIOCore
    internal import NIOWebSocket

    /// Puts messages together from frames, answers pings of WebSocket, and closes (RFC 6455, 5 and 7). On the event loop of
    /// its channel.
    final class FrameHandler: ChannelDuplexHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame

        /// Asks the handler to close.
        struct Close: Sendable {
            let code: UInt16
            let reason: String
        }

        /// How long the server may take to close its side.
        private static let patience = TimeAmount.seconds(5)

        private let longest: Int
        private let tell: (SocketEvent) -> Void
        /// The message whose last frame has not come.
        private var message: ByteBuffer?
        /// The payload of the last ping that was not answered.
        private var lastPing: ByteBuffer?
        /// Whether nothing is told any more.
        private var isOver = false
        private var hasSentClose = false

        init(longest: Int, _ tell: @escaping (SocketEvent) -> Void) {
            self.longest = longest
            self.tell = tell
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = Self.unwrapInboundIn(data)
            guard !isOver || frame.opcode == .connectionClose else {
                return
            }
            guard frame.maskKey == nil else {
                return fail(1002, "The server sent a masked frame, which it must not (RFC 6455, 5.1)")
            }
            guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
                return fail(1002, "The server sent a frame of an extension, and none was agreed on (RFC 6455, 5.2)")
            }
            switch frame.opcode {
            case .text: begin(frame)
            case .continuation: goOn(frame)
            case .binary: fail(1003, "The server sent a binary WebSocket message, which the protocol does not have")
            case .ping:
                lastPing = frame.data
                pong(context)
            case .pong: break
            case .connectionClose: takeClose(context, frame.data)
            default: fail(1002, "The server sent a frame of an unknown kind (RFC 6455, 5.2)")
            }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            pong(context)
            context.fireChannelWritabilityChanged()
        }

        /// Answers the last ping, once the server reads what was sent before (RFC 6455, 5.5.3).
        private func pong(_ context: ChannelHandlerContext) {
            guard let ping = lastPing, context.channel.isWritable, !isOver else {
                return
            }
            lastPing = nil
            let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: ping)
            context.writeAndFlush(Self.wrapOutboundOut(pong), promise: nil)
        }

        private func begin(_ frame: WebSocketFrame) {
            guard message == nil else {
                return fail(1002, "The server began a message within another (RFC 6455, 5.4)")
            }
            take(frame.data, isWhole: frame.fin)
        }

        private func goOn(_ frame: WebSocketFrame) {
            guard var whole = message else {
                return fail(1002, "The server went on with a message that it had not begun (RFC 6455, 5.4)")
            }
            guard whole.readableBytes + frame.data.readableBytes <= longest else {
                return fail(1009, tooLong)
            }
            // Else there were two of it, and each part would copy all before it.
            message = nil
            whole.writeImmutableBuffer(frame.data)
            take(whole, isWhole: frame.fin)
        }

        private func take(_ message: ByteBuffer, isWhole: Bool) {
            guard isWhole else {
                self.message = message
                return
            }
            let bytes = message.readableBytesView
            guard bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil else {
                return fail(1007, "The server sent a text that is not UTF-8 (RFC 6455, 8.1)")
            }
            tell(.text(Data(bytes)))
        }

        private var tooLong: String {
            "The server sent a message of more than the \(longest) bytes that GraphQL.Socket.longest accepts"
        }

        /// The server closes: the same goes back, and then the connection ends.
        private func takeClose(_ context: ChannelHandlerContext, _ payload: ByteBuffer) {
            guard payload.readableBytes != 1 || isOver else {
                return fail(1002, "The server closed with half a code (RFC 6455, 5.5.1)")
            }
            var payload = payload
            let code = payload.readInteger(as: UInt16.self)
            let close = SocketClose(code: code ?? 1005, reason: String(buffer: payload))
            if !isOver {
                isOver = true
                tell(.closed(close))
            }
            sendClose(context, code: code, reason: "")
            context.flush()
            context.close(promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            switch error as? NIOWebSocketError {
            case .invalidFrameLength: fail(1009, tooLong)
            case .fragmentedControlFrame, .multiByteControlFrameLength:
                fail(1002, "The server sent a control frame in parts, or one that is too long (RFC 6455, 5.5)")
            case nil: over(.failed(SocketErrorTable.error(for: error)))
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            over(.closed(SocketClose(code: nil, reason: "")))
            context.fireChannelInactive()
        }

        func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
            guard let close = event as? Close else {
                return context.triggerUserOutboundEvent(event, promise: promise)
            }
            isOver = true
            message = nil
            sendClose(context, code: close.code, reason: close.reason)
            context.flush()
            let channel = context.channel
            channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
            promise?.succeed()
        }

        private func sendClose(_ context: ChannelHandlerContext, code: UInt16?, reason: String) {
            guard !hasSentClose else {
                return
            }
            hasSentClose = true
            var payload = context.channel.allocator.buffer(capacity: 128)
            if let code, Self.isSent(code) {
                payload.writeInteger(code)
                payload.writeString(reason)
            }
            let frame = WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: payload)
            context.write(Self.wrapOutboundOut(frame), promise: nil)
        }

        /// Whether a code may be in a frame (RFC 6455, 7.4): some only stand for what has happened.
        private static func isSent(_ code: UInt16) -> Bool {
            switch code {
            case 1000...1003, 1007...1014, 3000...4999: true
            default: false
            }
        }

        private func fail(_ code: UInt16, _ detail: String) {
            over(.broken(code: code, detail: detail))
        }

        private func over(_ event: SocketEvent) {
            guard !isOver else {
                return
            }
            isOver = true
            message = nil
            tell(event)
        }
    }
#endif
