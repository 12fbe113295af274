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
            guard self.error == nil, Self.isOfConnection(error) else {
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
                        detail: "A response to another request on the connection ended it: \(error)", underlying: error)
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

        /// Whether an error is one of the whole connection, and not of one stream or of a request that cannot be sent.
        private static func isOfConnection(_ error: any Error) -> Bool {
            switch error {
            case is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock, is NIOHTTP2Errors.ExcessiveContinuationFrames,
                is NIOHTTP2Errors.ExcessiveControlFrames, is NIOHTTP2Errors.ExcessiveEmptyDataFrames,
                is NIOHTTP2Errors.ExcessiveRSTFrames, is NIOHTTP2Errors.ExcessiveStreamErrors,
                is NIOHTTP2Errors.ExcessiveNumberOfGlitches, is NIOHTTP2Errors.UnableToParseFrame,
                is NIOHTTP2Errors.UnableToSerializeFrame, is NIOHTTP2Errors.InvalidSetting,
                is NIOHTTP2Errors.ReceivedBadSettings, is NIOHTTP2Errors.PushInViolationOfSetting,
                is NIOHTTP2Errors.RaisedGoawayLastStreamID:
                true
            default:
                false
            }
        }
    }
#endif
