#if Demo
    internal import ArgumentParser
    internal import Backstop
    internal import BackstopCore
    internal import BackstopGraphQLSocket
    internal import BackstopSubscriptions

    /// What carries results that arrive one after the other.
    enum ResultCarrier: String, ExpressibleByArgument, CaseIterable, Sendable {
        case multipart, events
        /// Events of a stream that subscriptions share.
        case sharedEvents = "shared-events"
        case websocket

        #if AsyncHTTPClient || canImport(Darwin)
            /// Whether there are WebSockets.
            static let hasSockets = true
        #else
            /// Whether there are WebSockets.
            static let hasSockets = false
        #endif

        /// What there is here.
        static let available = allCases.filter { $0 != .websocket || hasSockets }

        /// What to do where there are no WebSockets.
        static let advice =
            "This command was built without WebSockets: use swift run --traits Demo,AsyncHTTPClient backstop."

        /// How to have the results of a URL, with http or https.
        ///
        /// - Parameters:
        ///   - transport: What sends the requests of a shared stream.
        ///   - live: Follows the call through what takes the place of the client's transport. Default: none.
        /// - Throws: `ValidationError` where there are no WebSockets, `ConfigurationError` for a URL that has none.
        func delivery(
            to url: String, over transport: any HTTP.Transport = URLSessionTransport(), watching live: LiveTrace? = nil
        ) throws -> GraphQL.Delivery {
            let socket: GraphQL.Socket
            switch self {
            case .multipart: return .multipart
            case .events: return .events
            case .sharedEvents: socket = try GraphQL.Socket(events: url, over: transport)
            case .websocket:
                #if AsyncHTTPClient || canImport(Darwin)
                    // http becomes ws, and https wss.
                    socket = try GraphQL.Socket("ws" + url.dropFirst(4))
                #else
                    throw ValidationError(Self.advice)
                #endif
            }
            return .lines(over: live.map { WatchedTransport(transport: socket, live: $0) } ?? socket)
        }
    }
#endif
