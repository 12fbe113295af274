internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    /// The body of a request as the session reads it.
    ///
    /// It reads on the queue that all sessions of the process share. So while a read waits for the next chunk of a
    /// stream, every other call with `URLSession` waits as well, whatever its session.
    final class BodyStream: InputStream {
        private let body: OpenBody
        private var status = Stream.Status.notOpen

        /// A stream of the body, not opened yet.
        static func make(_ body: OpenBody) -> InputStream {
            BodyStream(body)
        }

        private init(_ body: OpenBody) {
            self.body = body
            super.init(data: Data())
        }

        override func open() {
            status = .open
        }

        override func close() {
            status = .closed
        }

        override var streamStatus: Stream.Status {
            status
        }

        override var hasBytesAvailable: Bool {
            !body.isOver
        }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            body.read(buffer, maxLength: maxLength)
        }
    }
#else
    /// The body of a request as the session reads it.
    ///
    /// The session accepts only the system's streams, so a thread copies the body into a pair of bound streams once the
    /// session asks for it. It ends with the body, or when the session closes its side.
    enum BodyStream {
        private static let size = 65_536

        /// A stream of the body, not opened yet.
        static func make(_ body: OpenBody) -> InputStream {
            var input: InputStream?
            var output: OutputStream?
            Stream.getBoundStreams(withBufferSize: size, inputStream: &input, outputStream: &output)
            guard let input, let output else {
                return InputStream(data: Data())
            }
            // From here on, only the thread accesses it.
            nonisolated(unsafe) let sink = output
            // The session may drop the stream without closing it; the thread would wait for room forever. Nobody reads
            // from it after the end of the task.
            nonisolated(unsafe) let source = input
            body.whenTaskEnds {
                source.close()
            }
            Thread.detachNewThread {
                copy(body, to: sink)
            }
            return input
        }

        private static func copy(_ body: OpenBody, to sink: OutputStream) {
            sink.open()
            defer {
                sink.close()
            }
            let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
            defer {
                buffer.deallocate()
            }
            while true {
                let count = body.read(buffer, maxLength: size)
                guard count > 0 else {
                    if count < 0 {
                        // To the session, a closed stream is a complete body.
                        body.waitForTaskEnd()
                    }
                    return
                }
                var sent = 0
                while sent < count {
                    let written = sink.write(buffer + sent, maxLength: count - sent)
                    guard written > 0 else {
                        return
                    }
                    sent += written
                }
            }
        }
    }
#endif
