#if Demo
    internal import BackstopCore

    /// A storm: clients, a server, and what goes wrong.
    struct StormSettings: Equatable {
        enum OutageKind: String, CaseIterable {
            /// The server takes requests and answers none.
            case hang
            /// The server refuses every request at once.
            case refuse
            /// The balancer sends nothing to the servers that are out; those that are left have only their own capacity.
            case gone
        }

        enum FailureKind: String, CaseIterable {
            /// The connection is lost at once.
            case fast
            /// The request is lost on its way, so the client waits for its timeout.
            case timeout
            /// The first request of a call meets a kept connection that has died meanwhile, and fails at once.
            case idle
        }

        /// How many clients there are.
        var clients = 12_000
        /// The seconds between two calls of one client, on average.
        var interval = 60.0
        /// The same of further clients, which make as many calls together; nil for none.
        var secondInterval: Double?
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
        /// The share of the servers that are out. Where they are fewer than all, the others have only their own capacity,
        /// and what was sent to those that hung is lost.
        var down = 1.0
        /// The share of requests that fail by a fault of the network.
        var failureRate = 0.0
        var failureKind = FailureKind.fast
        /// The seed of all random numbers; calls and faults are the same for all policies.
        var seed: UInt64 = 1

        /// How long everything takes, in seconds.
        var duration: Int { before + outage + after }
        /// The calls a second of all clients together.
        var callRate: Double { Double(clients) / interval * (secondInterval == nil ? 1 : 2) }
        /// The clients with the second interval.
        var secondClients: Int { secondInterval.map { Int((Double(clients) * $0 / interval).rounded(.up)) } ?? 0 }
        /// The requests a second that the server can serve.
        var capacity: Double { callRate / load }
        /// The seconds of the outage, from the beginning.
        var outageTime: Range<Int> { before..<(before + outage) }
        /// The seconds until a refused or faulty request fails.
        static let failureDelay = 0.02
    }
#endif
