#if AsyncHTTPClient
    internal import BackstopCore
    internal import NIOCore
    internal import NIOHTTP2
    internal import NIOSSL

    /// Takes a dead connection of HTTP/2 out of use, which the library would go on using.
    ///
    /// After an error of the whole connection, SwiftNIO says goodbye to the server, but leaves the connection open: it
    /// is closed (RFC 9113, 5.4.1), and its streams fail with that error.
    ///
    /// A connection that has fallen silent is only noticed when requests on it reach their limits or are cancelled. When
    /// such requests have waited half a second in all without a byte from the server, the connection is retired: no
    /// further requests are sent on it, those in flight go on, and with the last of them it is closed.
    final class ConnectionWatch: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        typealias InboundOut = HTTP2Frame

        /// How long requests have waited in vain when the connection is retired: a retry or two of a fast service, and
        /// more than many cancelled requests in a row take.
        private static let patience = TimeAmount.milliseconds(500)

        /// How many streams wait for the head of a response.
        var waiting = 0
        /// Whether SwiftNIO has said goodbye for an error.
        fileprivate(set) var hasFailed = false
        /// The error that ended the connection, and whether it is known which stream it was about.
        private var error: (any Error)?
        private var isOfOne = false
        private var context: ChannelHandlerContext?
        private var isRetired = false
        /// The time that requests have waited in vain since the last byte, and until when it is counted.
        private var waited = TimeAmount.zero
        private var counted = NIODeadline.uptimeNanoseconds(0)

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            waited = .zero
            counted = .now()
            context.fireChannelRead(data)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.fireErrorCaught(error)
            // Half of a head that could not be written is compressed, so that no other one would be understood.
            guard self.error == nil, hasFailed || error is NIOHTTP2Errors.UnableToSerializeFrame else {
                return
            }
            self.error = error
            isOfOne = waiting == 1
            retire()
            // At once, and not when the server has said goodbye in TLS: it may have stopped to read.
            let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
            (tls ?? context).close(promise: nil)
        }

        /// What a stream fails with when the connection ends; nil for an ordinary end.
        ///
        /// An error of the whole connection, as that of a head that is too large, does not say which stream it was
        /// about. If only one waits for a head, it is that one, and all others lost their connection.
        ///
        /// - Parameter hasHead: Whether the head of its response has come.
        func error(hasHead: Bool) -> (any Error)? {
            error.map { error in
                isOfOne && !hasHead
                    ? error
                    : TransportError(
                        .lost, phase: hasHead ? .receiving : .waiting,
                        detail:
                            "An error ended the connection, with all its requests: \(ClientErrorText.text(of: error))",
                        underlying: error)
            }
        }

        /// A stream was given up before its response was complete.
        ///
        /// - Parameter start: When it was opened.
        func gaveUp(after start: NIODeadline) {
            let now = NIODeadline.now()
            waited = waited + (now - max(start, counted))
            counted = now
            if waited >= Self.patience {
                retire()
            }
        }

        /// Tells the library to send no further requests on this connection: as if the server had said that it takes
        /// none, but answers those that it has.
        private func retire() {
            guard !isRetired, let context else {
                return
            }
            isRetired = true
            let goodbye = HTTP2Frame.FramePayload.goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil)
            context.fireChannelRead(Self.wrapInboundOut(HTTP2Frame(streamID: .rootStream, payload: goodbye)))
        }
    }

    /// Notes when SwiftNIO says goodbye to a server for an error: then the error that it reports next is one of the whole
    /// connection, and not of one stream, or of a request that cannot be sent.
    final class GoodbyeWatch: ChannelOutboundHandler {
        typealias OutboundIn = IOData
        typealias OutboundOut = IOData

        private let watch: ConnectionWatch

        init(_ watch: ConnectionWatch) {
            self.watch = watch
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .byteBuffer(let frame) = Self.unwrapOutboundIn(data), Self.isGoodbye(frame) {
                watch.hasFailed = true
            }
            context.write(data, promise: promise)
        }

        /// Whether a frame is a GOAWAY with an error and nothing more (RFC 9113, 6.8).
        private static func isGoodbye(_ frame: ByteBuffer) -> Bool {
            frame.readableBytes == 17
                && frame.readableBytesView.prefix(9).elementsEqual([0, 0, 8, 7, 0, 0, 0, 0, 0])
                && frame.getInteger(at: frame.readerIndex + 13, as: UInt32.self) != 0
        }
    }
#endif
