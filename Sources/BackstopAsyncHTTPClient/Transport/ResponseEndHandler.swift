#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOHTTP2
    internal import NIOHTTPCompression

    /// Corrects the end of a response before the library sees it.
    ///
    /// The library reads trailers and drops them. They are handed on as one more part of the body, marked so that no
    /// server can imitate it (``TrailerPart``).
    ///
    /// If a response ends before the request does, the library waits for the rest of the request, which it no longer
    /// sends, and never releases the connection. So such a response gets the marked part as well, empty; it tells the
    /// exchange, which ends the connection.
    ///
    /// If the end of the request was on its way from another event loop by then, the library tells its pool that the
    /// connection is free by way of that loop. A connection that closes meanwhile ends the process. So the library hears
    /// that this end could not be sent, once it is, and closes the connection itself. (HTTP/1.1)
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

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
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
            switch Self.unwrapInboundIn(data) {
            case .head(let head):
                hasContent = false
                endsUpload = head.status.code >= 300
            case .body:
                hasContent = true
            case .end(let trailers) where endsUpload || !isRequestComplete || trailers?.isEmpty == false:
                let part = TrailerPart.encoded(trailers ?? [:], allocator: context.channel.allocator)
                isAnswered = !isRequestComplete
                context.fireChannelRead(Self.wrapInboundOut(.body(part)))
                context.fireChannelRead(Self.wrapInboundOut(.end(nil)))
                return
            case .end:
                break
            }
            context.fireChannelRead(data)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if !hasContent, let known = error as? NIOHTTPDecompression.ExtraDecompressionError, known == .truncatedData
            {
                return
            }
            context.fireErrorCaught(error)
        }
    }

    extension ResponseEndHandler {
        /// Adds the handler to each connection of a client.
        static func install(in configuration: inout HTTPClient.Configuration) {
            let http1 = configuration.http1_1ConnectionDebugInitializer
            configuration.http1_1ConnectionDebugInitializer = { channel in
                let added = channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let place = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                    try add(to: pipeline, after: place)
                }
                return added.flatMap { http1?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
            }
            let http2 = configuration.http2StreamChannelDebugInitializer
            configuration.http2StreamChannelDebugInitializer = { channel in
                let added = channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let place = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
                    try add(to: pipeline, after: place)
                }
                return added.flatMap { http2?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
            }
        }

        /// Adds the handler behind the decompressor, or behind the one that reads the messages if there is none.
        private static func add(
            to pipeline: ChannelPipeline.SynchronousOperations, after reader: any ChannelHandler
        ) throws {
            let decompressor = try? pipeline.handler(type: NIOHTTPResponseDecompressor.self)
            try pipeline.addHandler(ResponseEndHandler(), position: .after(decompressor ?? reader))
        }
    }

    /// Trailers in the shape of a part of the body.
    enum TrailerPart {
        /// Before the fields: random, and different in each process.
        private static let mark = [UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max)]

        static func encoded(_ trailers: HTTPHeaders, allocator: ByteBufferAllocator) -> ByteBuffer {
            var buffer = allocator.buffer(capacity: 256)
            buffer.writeInteger(mark[0])
            buffer.writeInteger(mark[1])
            for (name, value) in trailers {
                for text in [name, value] {
                    buffer.writeInteger(UInt32(clamping: text.utf8.count))
                    buffer.writeString(text)
                }
            }
            return buffer
        }

        /// The fields; nil for a part of the body.
        static func fields(_ buffer: ByteBuffer) -> [(name: String, value: String)]? {
            var buffer = buffer
            guard buffer.readableBytes >= 16, buffer.readInteger() == mark[0], buffer.readInteger() == mark[1] else {
                return nil
            }
            var fields: [(name: String, value: String)] = []
            while let name = text(from: &buffer), let value = text(from: &buffer) {
                fields.append((name, value))
            }
            return fields
        }

        private static func text(from buffer: inout ByteBuffer) -> String? {
            buffer.readInteger(as: UInt32.self).flatMap { buffer.readString(length: Int($0)) }
        }
    }
#endif
