#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import BackstopCore
    internal import NIOCore

    /// What comes after the content, in the shape of a part of the body.
    enum EndPart {
        case trailers([(name: String, value: String)])
        /// The error that ended the response early.
        case failure(any Error)

        /// Before the rest: random, and different in each process.
        private static let mark = [UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max)]
        /// The errors on their way to their exchanges, which cannot be bytes, by number; guarded by the lock.
        private static let errors = Lock((waiting: [UInt64: any Error](), last: UInt64(0)))

        func encoded(by allocator: ByteBufferAllocator) -> ByteBuffer {
            var buffer = allocator.buffer(capacity: 256)
            buffer.writeInteger(Self.mark[0])
            buffer.writeInteger(Self.mark[1])
            switch self {
            case .trailers(let fields):
                buffer.writeInteger(UInt64(0))
                for (name, value) in fields {
                    for text in [name, value] {
                        buffer.writeInteger(UInt32(clamping: text.utf8.count))
                        buffer.writeString(text)
                    }
                }
            case .failure(let error):
                let number = Self.errors.withLock { errors in
                    // Those whose exchange was given up are never asked for.
                    errors.waiting[errors.last &- 1024] = nil
                    errors.last &+= 1
                    errors.waiting[errors.last] = error
                    return errors.last
                }
                buffer.writeInteger(number)
            }
            return buffer
        }

        /// Reads what was encoded, once; nil for a part of the body.
        init?(_ buffer: ByteBuffer) {
            var buffer = buffer
            guard buffer.readableBytes >= 24, buffer.readInteger() == Self.mark[0],
                buffer.readInteger() == Self.mark[1], let number = buffer.readInteger(as: UInt64.self)
            else {
                return nil
            }
            guard number == 0 else {
                let error = Self.errors.withLock { $0.waiting.removeValue(forKey: number) }
                self = .failure(error ?? HTTPClientError.remoteConnectionClosed)
                return
            }
            var fields: [(name: String, value: String)] = []
            while let name = Self.text(from: &buffer), let value = Self.text(from: &buffer) {
                fields.append((name, value))
            }
            self = .trailers(fields)
        }

        private static func text(from buffer: inout ByteBuffer) -> String? {
            buffer.readInteger(as: UInt32.self).flatMap { buffer.readString(length: Int($0)) }
        }
    }
#endif
