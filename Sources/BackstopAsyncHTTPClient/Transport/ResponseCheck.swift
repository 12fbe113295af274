#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import BackstopCore
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOPosix

    /// Checks what a server sends on a connection of HTTP/1.1 before the library reads it.
    ///
    /// async-http-client takes a status below 200 for an interim response, and whatever comes without a request, or
    /// after the end of a response, for a defect of its own: both end the process. A status below 100 is refused here
    /// (RFC 9110, 15), and what nobody asked for ends the connection.
    ///
    /// It also tells a kept connection that has ended from one that was lost in the middle. The library sends the next
    /// request while it still reads the bytes in which the last response ended. If these go on, as with a 408 and the end
    /// of the connection, the next request was never wanted: it waits here until they are read, and then is not sent.
    final class ResponseCheck: ChannelDuplexHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias InboundOut = HTTPClientResponsePart
        typealias OutboundIn = HTTPClientRequestPart
        typealias OutboundOut = HTTPClientRequestPart

        /// How many responses have come to their end.
        private var served = 0
        /// Whether a request waits for the end of its response.
        private var isWaiting = false
        /// Whether the response to it has begun.
        private var hasBegun = false
        /// Whether nothing more is read.
        private var isOver = false
        /// Whether bytes that have arrived are being read.
        private var isReading = false
        /// The request that is sent once they are read.
        private var held: [(data: NIOAny, promise: EventLoopPromise<Void>?)] = []
        private var isFlushHeld = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            isReading = true
            guard !isOver else {
                return
            }
            guard isWaiting, held.isEmpty else {
                isOver = true
                return context.close(promise: nil)
            }
            switch Self.unwrapInboundIn(data) {
            case .head(let head):
                guard head.status.code >= 100 else {
                    isOver = true
                    let code = String(head.status.code)
                    let status = String(repeating: "0", count: 3 - code.count) + code
                    return context.fireErrorCaught(
                        TransportError(
                            .badResponse, phase: .receiving, detail: "The response's status is \(status)"))
                }
                hasBegun = true
            case .body:
                break
            case .end:
                isWaiting = false
                served += 1
            }
            context.fireChannelRead(data)
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            isReading = false
            context.fireChannelReadComplete()
            if !held.isEmpty {
                // Later, so that an end of the connection that was read with these bytes comes first.
                context.eventLoop.assumeIsolated().execute {
                    self.release(context)
                }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            let isEnd = error is NIOHTTPDecoderError || error is IOError || error is ChannelError
            context.fireErrorCaught(isEnd && isKept ? KeptConnectionEnded(isSent: held.isEmpty) : error)
        }

        func channelInactive(context: ChannelHandlerContext) {
            if isKept {
                context.fireErrorCaught(KeptConnectionEnded(isSent: held.isEmpty))
            }
            isOver = true
            drop()
            context.fireChannelInactive()
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            drop()
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .head = Self.unwrapOutboundIn(data) {
                isWaiting = true
                hasBegun = false
                if isReading, !isOver {
                    held.append((data, promise))
                    return
                }
            }
            guard held.isEmpty else {
                held.append((data, promise))
                return
            }
            context.write(data, promise: promise)
        }

        func flush(context: ChannelHandlerContext) {
            guard held.isEmpty else {
                isFlushHeld = true
                return
            }
            context.flush()
        }

        /// Whether a request waits for a response on a connection that has served another one before.
        private var isKept: Bool {
            isWaiting && !hasBegun && served > 0 && !isOver
        }

        private func release(_ context: ChannelHandlerContext) {
            let parts = held
            held = []
            for part in parts {
                context.write(part.data, promise: part.promise)
            }
            if isFlushHeld {
                isFlushHeld = false
                context.flush()
            }
        }

        private func drop() {
            let parts = held
            held = []
            for part in parts {
                part.promise?.fail(ChannelError.ioOnClosedChannel)
            }
        }
    }

    extension ResponseCheck {
        /// Adds the check to each connection of a client, once.
        static func install(in configuration: inout HTTPClient.Configuration) {
            configuration.prepare(\.http1_1ConnectionDebugInitializer) { channel in
                let pipeline = channel.pipeline.syncOperations
                guard (try? pipeline.handler(type: ResponseCheck.self)) == nil else {
                    return
                }
                let reader = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(ResponseCheck(), position: .after(reader))
            }
        }
    }
#endif
