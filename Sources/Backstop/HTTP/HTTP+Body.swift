public import Foundation

extension HTTP {
    /// The body of a request.
    ///
    /// ```swift
    /// let text: HTTP.Body = .text("hello")
    /// let upload: HTTP.Body = .file(URL(fileURLWithPath: "photo.jpg"))
    /// ```
    public enum Body: Sendable {
        /// No body.
        case none
        /// Data in memory.
        case data(Data)
        /// A file, read while it is sent; it must not change until the call ends.
        case file(URL)
        /// A stream, opened when the request is sent.
        case stream(Stream)

        /// The source of a stream's bytes.
        public struct Stream: Sendable {
            /// The number of bytes; nil when unknown: the body is then sent in chunks.
            public let length: Int64?
            /// Whether ``open`` may be called again, so that the request can be retried or redirected.
            public let isReplayable: Bool
            /// Opens the stream at its beginning.
            public let open: @Sendable () throws -> InputStream

            /// Makes a stream.
            public init(
                length: Int64? = nil, isReplayable: Bool, open: @escaping @Sendable () throws -> InputStream
            ) {
                self.length = length
                self.isReplayable = isReplayable
                self.open = open
            }
        }

        /// The UTF-8 bytes of a text.
        public static func text(_ text: String) -> Body {
            .data(Data(text.utf8))
        }

        /// Whether it can be sent again.
        public var isReplayable: Bool {
            if case .stream(let stream) = self {
                return stream.isReplayable
            }
            return true
        }

        /// Whether there is no body.
        public var isNone: Bool {
            if case .none = self {
                return true
            }
            return false
        }

        /// The bytes, if in memory; nil for files and streams.
        public var data: Data? {
            switch self {
            case .none: Data()
            case .data(let data): data
            case .file, .stream: nil
            }
        }
    }
}
