#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import Backstop
    internal import BackstopCore
    internal import NIOCore
    internal import NIOHPACK
    internal import NIOHTTP2

    /// Checks what a server sends on a stream of HTTP/2 before the library reads it.
    ///
    /// SwiftNIO takes the status for a number that is never negative, and that is there; async-http-client takes a
    /// response for one that has a head before its content. With any other, both end the process. A stream that breaks
    /// these rules fails instead (RFC 9113, 8.1 and 8.3.2), and the others go on.
    ///
    /// It also says why the connection ended, if that is known, and tells the connection when the stream was given up.
    /// And it closes a stream whose response is complete before its request. The library forgets the rest of the request
    /// then, but keeps the stream, and whatever happens to it later ends the process: an error, as from a server that
    /// resets the stream because it does not want the rest (RFC 9113, 8.1), or that the client is shut down.
    final class StreamCheck: ChannelDuplexHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias InboundOut = HTTP2Frame.FramePayload
        typealias OutboundIn = HTTP2Frame.FramePayload
        typealias OutboundOut = HTTP2Frame.FramePayload

        private let connection: ConnectionWatch?
        private let start = NIODeadline.now()
        /// Whether the request cannot be sent.
        private var isRefused = false
        /// Whether the last of the request was written.
        private var isSent = false
        /// Whether the response was complete before the request: the library must hear nothing more.
        fileprivate private(set) var isAbandoned = false
        /// Whether the connection counts this stream among those that wait for a response.
        private var isWaiting = false
        /// Whether the head of the final response has come.
        private var hasHead = false
        /// Whether the response is complete, or has failed: nothing more is read.
        private var isOver = false

        init(_ connection: ConnectionWatch?) {
            self.connection = connection
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isOver else {
                return
            }
            var isLast = false
            switch Self.unwrapInboundIn(data) {
            case .headers(let block):
                isLast = block.endStream
                if let problem = problem(of: block) {
                    return fail(context, problem)
                }
            case .data(let content):
                isLast = content.endStream
                if !hasHead {
                    return fail(context, "Content came before the head of the response")
                }
            default:
                break
            }
            isOver = isLast
            context.fireChannelRead(data)
            if isLast, !isSent {
                isAbandoned = true
                context.close(promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if !isAbandoned {
                context.fireErrorCaught(error)
            }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if !isAbandoned {
                context.fireChannelWritabilityChanged()
            }
        }

        func handlerAdded(context: ChannelHandlerContext) {
            isWaiting = true
            connection?.waiting += 1
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            stopWaiting()
        }

        func channelInactive(context: ChannelHandlerContext) {
            if !isOver, let error = connection?.error(hasHead: hasHead) {
                isOver = true
                context.fireErrorCaught(error)
            }
            stopWaiting()
            if !isAbandoned {
                context.fireChannelInactive()
            }
        }

        /// Drops what HTTP/2 has no room for: `TE` with anything but `trailers` (RFC 9113, 8.2.2). SwiftNIO drops the other
        /// fields of a connection itself. A head that it could not put into one frame is refused, because with half of
        /// it compressed, the connection would be lost.
        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard !isRefused else {
                promise?.fail(HTTPClientError.requestStreamCancelled)
                return
            }
            let frame = Self.unwrapOutboundIn(data)
            guard case .headers(var block) = frame else {
                if case .data(let content) = frame, content.endStream {
                    isSent = true
                }
                return context.write(data, promise: promise)
            }
            isSent = block.endStream
            let size = block.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 8 }
            guard size <= Self.largestHead else {
                let error = RequestError(
                    .invalidHeader,
                    "The header fields have \(size) bytes, but over HTTP/2, \(RequestError.sizeLimit) "
                        + "\(Self.largestHead)")
                isRefused = true
                promise?.fail(error)
                // The library is still sending, and takes an error only later.
                let place = NIOLoopBound(context, eventLoop: context.eventLoop)
                return context.eventLoop.execute {
                    place.value.fireErrorCaught(error)
                }
            }
            if block.headers["te"].contains(where: { $0 != "trailers" }) {
                block.headers.remove(name: "te")
            }
            context.write(Self.wrapOutboundOut(.headers(block)), promise: promise)
        }

        /// One frame, unless the server allows larger ones (RFC 9113, 4.2).
        private static let largestHead = 16_384

        private func stopWaiting() {
            if isWaiting {
                isWaiting = false
                connection?.waiting -= 1
            }
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            stopWaiting()
            if !isOver {
                isOver = true
                connection?.gaveUp(after: start)
            }
            context.close(mode: mode, promise: promise)
        }

        private func problem(of block: HTTP2Frame.FramePayload.Headers) -> String? {
            if hasHead {
                return block.headers.contains { $0.name.hasPrefix(":") } ? "The trailers have a pseudo-header" : nil
            }
            guard let status = Self.status(of: block.headers) else {
                let text = block.headers.first(name: ":status") ?? ""
                return "The response's status is \(Redaction.quoted(text, upTo: 40))"
            }
            guard status >= 200 else {
                return block.endStream || status == 101
                    ? "An interim response with the status \(status) ends the response, or the use of HTTP/2" : nil
            }
            hasHead = true
            stopWaiting()
            let lengths = block.headers[canonicalForm: "content-length"]
            return lengths.isEmpty ? nil : AnnouncedLength.problem(of: lengths.joined(separator: ","))
        }

        /// The status, if it is one: three digits, from 100 (RFC 9110, 15).
        private static func status(of headers: HPACKHeaders) -> Int? {
            guard let text = headers.first(name: ":status"), text.utf8.count == 3,
                text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let status = Int(text)
            else {
                return nil
            }
            return status >= 100 ? status : nil
        }

        private func fail(_ context: ChannelHandlerContext, _ detail: String) {
            isOver = true
            context.fireErrorCaught(
                TransportError(
                    .badResponse, phase: .receiving, detail: Redaction.standard.body(detail, contentType: "text/plain"))
            )
        }
    }

    extension StreamCheck {
        /// Adds the check to each stream, and the watch to each connection, of a client.
        ///
        /// At once, on the event loop on which the library asks for it: a connection or stream that closed between the
        /// question and the answer would be taken for an open one, and its place would never be free again.
        static func install(in configuration: inout HTTPClient.Configuration) {
            configuration.prepare(\.http2StreamChannelDebugInitializer) { channel in
                let pipeline = channel.pipeline.syncOperations
                guard (try? pipeline.handler(type: StreamCheck.self)) == nil else {
                    return
                }
                let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
                let watch = try? channel.parent?.pipeline.syncOperations.handler(type: ConnectionWatch.self)
                let check = StreamCheck(watch)
                try pipeline.addHandler(check, position: .before(codec))
                try pipeline.addHandler(AbandonedStream(check), position: .last)
            }
            configuration.prepare(\.http2ConnectionDebugInitializer) { channel in
                let pipeline = channel.pipeline.syncOperations
                guard (try? pipeline.handler(type: ConnectionWatch.self)) == nil else {
                    return
                }
                let frames = try pipeline.handler(type: NIOHTTP2Handler.self)
                let watch = ConnectionWatch()
                try pipeline.addHandler(watch, position: .after(frames))
                try pipeline.addHandler(GoodbyeWatch(watch), position: .before(frames))
            }
        }
    }

    /// Keeps the end of the client from the library's handler of a stream that is abandoned, but not yet closed.
    private final class AbandonedStream: ChannelOutboundHandler {
        typealias OutboundIn = Any

        private let check: StreamCheck

        init(_ check: StreamCheck) {
            self.check = check
        }

        func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
            guard !check.isAbandoned else {
                promise?.succeed()
                return
            }
            context.triggerUserOutboundEvent(event, promise: promise)
        }
    }
#endif
