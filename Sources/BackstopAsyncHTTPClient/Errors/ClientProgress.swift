#if AsyncHTTPClient
    internal import BackstopCore
    internal import NIOHTTP1

    /// The progress of an exchange.
    struct ClientProgress {
        /// The phase until a response begins.
        var phase = TransportError.Phase.connecting
        /// The head of the response; nil while none has arrived.
        var head: HTTPResponseHead? {
            didSet { phase = .receiving }
        }
        /// How many decoded bytes of the response body have arrived.
        var bytesReceived: Int64 = 0
        /// How many bytes of the request body have been sent.
        var bytesSent: Int64 = 0
    }
#endif
