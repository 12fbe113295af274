#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopTestSupport
    import BackstopTesting

    struct Book: Codable, Sendable, Hashable {
        var id: Int
        var title: String

        static let json = #"{"id":1,"title":"Dune"}"#
        static let dune = Book(id: 1, title: "Dune")
    }

    struct BookEndpoint: JSONEndpoint {
        typealias Content = Book

        func makeRequest() throws -> HTTP.Request {
            try HTTP.Request(.get, "books/1")
        }
    }

    /// An order that has another key whenever its request is made.
    struct Order: Endpoint {
        private let count = Counter()

        func makeRequest() throws -> HTTP.Request {
            try HTTP.Request(.post, "orders", headers: ["Idempotency-Key": "key \(count.increment())"])
        }

        func content(from response: HTTP.Response) throws -> Int {
            response.status
        }
    }

    struct Hero: GraphQL.Operation {
        struct Data: Decodable, Sendable, Equatable {
            var hero: String?
        }

        var document: GraphQL.Document {
            .init(text: "query Hero { hero }")
        }
    }

    /// A transport with its script, and the clock, log and observer of the clients that a test makes for it.
    struct Rig {
        let transport: ScriptedTransport
        let clock = RecordingClock()
        let log = RecordingLog()
        let observer = RecordingObserver()

        init(_ steps: ScriptedTransport.Step...) {
            transport = ScriptedTransport(steps)
        }

        /// A client that decodes and judges, and does not retry. Each backoff is half of its bound.
        func client(clock: (any CallClock)? = nil) throws -> Client {
            var options = CallOptions()
            options.clock = clock ?? self.clock
            options.random = FixedRandom(units: 0.5)
            options.observers = [observer]
            var handling = FailureHandling()
            handling.log = log
            handling.observers = [observer]
            return try Client(
                baseURL: "https://api.example.com/v1", transport: transport, options: options, handling: handling
            ) {
                Decoding()
                StatusValidation()
            }
        }

        /// What the observers were told of each failure.
        var outcomes: [ObservedOutcome] {
            observer.failures.map(\.outcome)
        }

        /// Returns as soon as the observers were told of so many failures.
        func waitForOutcomes(_ count: Int) async {
            while outcomes.count < count {
                await Task.yield()
            }
        }
    }

    /// Lets other tasks run for a while, to see that they do nothing.
    func settle() async {
        for _ in 0..<200 {
            await Task.yield()
        }
    }
#endif
