#if Demo
    internal import BackstopCore

    /// A storm: clients, a server, and what goes wrong.
    struct StormSettings: Equatable {
        enum OutageKind: String, CaseIterable {
            /// The server takes requests and answers none.
            case hang
            /// The server refuses every request at once.
            case refuse
        }

        enum Queue: String, CaseIterable {
            /// First in, first out.
            case fifo
            /// Last in, first out.
            case lifo
            /// First in, first out, and a 503 for a request that would wait for more than half of the clients' timeout.
            case shed
        }

        enum FailureKind: String, CaseIterable {
            /// The connection is lost at once.
            case fast
            /// The request is lost on its way, so the client waits for its timeout.
            case timeout
        }

        /// How many clients there are.
        var clients = 12_000
        /// The seconds between two calls of one client, on average.
        var interval = 60.0
        /// The load without any failure, as a share of what the server can serve.
        var load = 0.8
        /// The seconds after which a client gives up on a request.
        var timeout = 5.0
        /// The seconds before the outage.
        var before = 60
        /// The seconds of the outage; 0 for none.
        var outage = 60
        /// The seconds after it.
        var after = 240
        var outageKind = OutageKind.hang
        var queue = Queue.fifo
        /// The share of requests that fail by a fault of the network.
        var failureRate = 0.0
        var failureKind = FailureKind.fast
        /// The share of failed calls that a person repeats, once, after 2 to 10 s.
        var taps = 0.0
        /// The seed of all random numbers; calls and faults are the same for all policies.
        var seed: UInt64 = 1

        /// How long everything takes, in seconds.
        var duration: Int { before + outage + after }
        /// The calls a second of all clients together.
        var callRate: Double { Double(clients) / interval }
        /// The requests a second that the server can serve.
        var capacity: Double { callRate / load }
        /// The seconds of the outage, from the beginning.
        var outageTime: Range<Int> { before..<(before + outage) }
        /// The seconds until a refused or faulty request fails.
        static let failureDelay = 0.02
    }
#endif
