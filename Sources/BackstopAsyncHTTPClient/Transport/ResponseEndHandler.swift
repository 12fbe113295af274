#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOHTTP2
    internal import NIOHTTPCompression

    /// Corrects the end of a response before the library sees it.
    ///
    /// The library reads trailers and drops them. They are handed on as one more part of the body, marked so that no
    /// server can imitate it (``EndPart``).
    ///
    /// If a response ends before the request does, the library waits for the rest of the request, which it no longer
    /// sends, and never releases the connection. So such a response gets the marked part as well, empty; it tells the
    /// exchange, which ends the connection.
    ///
    /// If the end of the request was on its way from another event loop by then, the library tells its pool that the
    /// connection is free by way of that loop. A connection that closes meanwhile ends the process. So the library hears
    /// that this end could not be sent, once it is, and closes the connection itself. (HTTP/1.1)
    ///
    /// If the connection of a stream is lost, the library drops what it has read and the reader has not taken yet. So in the
    /// place of the error, the response gets the marked part with that error, and an end: both come after what has
    /// arrived. The connection is closed, and takes no further request.
    ///
    /// The decompressor makes up to a thousand bytes of one, all of them before anybody can make it wait. So of a compressed
    /// stream, little is read at once. Of any other, more than the library reads: each part wakes two tasks. (HTTP/1.1)
    ///
    /// Its decompressor takes a response without content for a truncated one if the head names an encoding, as those to
    /// HEAD do, and 304 (RFC 9110, 8.4 and 15.4.5). That error is dropped.
    final class ResponseEndHandler: ChannelDuplexHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias InboundOut = HTTPClientResponsePart
        typealias OutboundIn = HTTPClientRequestPart
        typealias OutboundOut = HTTPClientRequestPart

        /// Whether the last request was written to its end.
        private var isRequestComplete = false
        /// Whether the response to the request that is being written has ended before.
        private var isAnswered = false
        /// Whether a part of the content has come since the last head.
        private var hasContent = false
        /// Whether the last head ends an upload.
        private var endsUpload = false
        /// Whether what has arrived is handed on although the connection is lost.
        private let isForStreams: Bool
        /// Whether the channel is a connection, which has options for what is read at once; a stream of HTTP/2 ends the
        /// process when they are set.
        private let isConnection: Bool
        /// Whether the head of a response has come, and neither its end nor that of the library's interest.
        private var isOpen = false
        /// Whether the connection was lost in the middle of a response.
        private var isLost = false
        /// Whether the library has begun another request since then.
        private var isRefusing = false
        /// Whether little is read at once; nil for what the library reads.
        private var readsLittle: Bool?

        init(isForStreams: Bool, isConnection: Bool) {
            self.isForStreams = isForStreams
            self.isConnection = isConnection
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard !isLost else {
                // Of another request: the one before was complete.
                isRefusing = true
                promise?.fail(ChannelError.ioOnClosedChannel)
                return
            }
            switch Self.unwrapOutboundIn(data) {
            case .head:
                isRequestComplete = false
                isAnswered = false
            case .body:
                break
            case .end:
                isRequestComplete = true
                if isAnswered, let promise {
                    return context.write(data, promise: Self.failing(promise, on: context.eventLoop))
                }
            }
            context.write(data, promise: promise)
        }

        /// A promise that fails another one, however it ends itself.
        private static func failing(
            _ promise: EventLoopPromise<Void>, on loop: any EventLoop
        ) -> EventLoopPromise<Void> {
            let sent = loop.makePromise(of: Void.self)
            sent.futureResult.whenComplete { _ in
                promise.fail(HTTPClientError.requestStreamCancelled)
            }
            return sent
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isLost else {
                return
            }
            switch Self.unwrapInboundIn(data) {
            case .head(let head):
                hasContent = false
                isOpen = head.status.code >= 200
                endsUpload = head.status.code >= 300
                if isForStreams, isConnection {
                    readLittle(head.headers.contains(name: "Content-Encoding"), context.channel)
                }
            case .body:
                hasContent = true
            case .end(let trailers) where endsUpload || !isRequestComplete || trailers?.isEmpty == false:
                return end(.trailers((trailers ?? [:]).map { ($0, $1) }), context)
            case .end:
                isOpen = false
            }
            context.fireChannelRead(data)
        }

        /// Reads little at once, or up to 256 KiB.
        private func readLittle(_ isWanted: Bool, _ channel: any Channel) {
            guard isWanted != readsLittle else {
                return
            }
            readsLittle = isWanted
            let allocator: any RecvByteBufferAllocator =
                isWanted
                ? FixedSizeRecvByteBufferAllocator(capacity: 4096)
                : AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 16_384, maximum: 131_072)
            _ = channel.setOption(.recvAllocator, value: allocator)
            let reads: UInt = isWanted ? 1 : 2
            _ = channel.setOption(.maxMessagesPerRead, value: reads)
        }

        /// Hands on the marked part, and the end.
        private func end(_ part: EndPart, _ context: ChannelHandlerContext) {
            isOpen = false
            isAnswered = !isRequestComplete
            context.fireChannelRead(Self.wrapInboundOut(.body(part.encoded(by: context.channel.allocator))))
            context.fireChannelRead(Self.wrapInboundOut(.end(nil)))
        }

        /// Ends a response of which no more will come, behind what has.
        ///
        /// - Returns: Whether there is one.
        private func endEarly(_ error: any Error, _ context: ChannelHandlerContext) -> Bool {
            // With an end before the request's, the library would drop all the same what nobody has taken.
            guard isForStreams, isOpen, isRequestComplete else {
                return false
            }
            isLost = true
            end(.failure(error), context)
            context.close(promise: nil)
            return true
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if !hasContent, let known = error as? NIOHTTPDecompression.ExtraDecompressionError, known == .truncatedData
            {
                return
            }
            if !isLost, !endEarly(error, context) {
                context.fireErrorCaught(error)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            _ = endEarly(HTTPClientError.remoteConnectionClosed, context)
            if isRefusing {
                context.fireErrorCaught(KeptConnectionEnded(isSent: false))
            }
            context.fireChannelInactive()
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            // The library has given the response up.
            isOpen = false
            context.close(mode: mode, promise: promise)
        }
    }

    extension ResponseEndHandler {
        /// Adds the handler to each connection of a client.
        ///
        /// - Parameter isForStreams: Whether the client's responses go to streams.
        static func install(in configuration: inout HTTPClient.Configuration, isForStreams: Bool) {
            configuration.prepare(\.http1_1ConnectionDebugInitializer) { channel in
                let pipeline = channel.pipeline.syncOperations
                let place = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try add(ResponseEndHandler(isForStreams: isForStreams, isConnection: true), to: pipeline, after: place)
            }
            configuration.prepare(\.http2StreamChannelDebugInitializer) { channel in
                let pipeline = channel.pipeline.syncOperations
                let place = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
                try add(ResponseEndHandler(isForStreams: isForStreams, isConnection: false), to: pipeline, after: place)
            }
        }

        /// Adds the handler behind the decompressor, or behind the one that reads the messages if there is none.
        private static func add(
            _ handler: ResponseEndHandler, to pipeline: ChannelPipeline.SynchronousOperations,
            after reader: any ChannelHandler
        ) throws {
            let decompressor = try? pipeline.handler(type: NIOHTTPResponseDecompressor.self)
            try pipeline.addHandler(handler, position: .after(decompressor ?? reader))
        }
    }
#endif
