#if Demo
    extension FaultServer {
        /// How a server starts.
        public struct Options: Sendable, Hashable {
            /// The port of `FaultServer.url`. Default: 0, any free one.
            public var port: UInt16
            /// The seconds that `/isUserNameAvailable` asks to wait during maintenance. Default: 17, as in the
            /// original; 0 or more, or `FaultServer.start(_:)` throws.
            public var retryAfter: Int
            /// The port of `FaultServer.otherOrigin`. Default: 0, any free one.
            public var otherOriginPort: UInt16
            /// How long a connection may wait for its next request, or take to send it, before it is closed. Default: 5
            /// minutes. Answers may take as long as they do.
            public var idleLimit: Duration
            /// The IPv4 address to listen on. Default: that of this machine alone.
            package var host = "127.0.0.1"

            /// Creates options; each default suits tests, which run many servers at once.
            public init(
                port: UInt16 = 0, retryAfter: Int = 17, otherOriginPort: UInt16 = 0, idleLimit: Duration = .seconds(300)
            ) {
                self.port = port
                self.retryAfter = retryAfter
                self.otherOriginPort = otherOriginPort
                self.idleLimit = idleLimit
            }
        }

        /// Why a server did not start.
        public enum StartError: Error, Sendable, Hashable, CustomStringConvertible {
            /// `Options.retryAfter` is below 0.
            case negativeRetryAfter(Int)
            /// The port is in use, or not allowed; the reason is the system's text.
            case cannotListen(port: UInt16, reason: String)

            /// A sentence for people.
            public var description: String {
                switch self {
                case .negativeRetryAfter(let seconds): "The pause of \(seconds) seconds is below 0."
                case .cannotListen(let port, let reason): "Cannot listen on 127.0.0.1:\(port): \(reason)."
                }
            }
        }
    }
#endif
