#if Demo
    /// The latest requests that have arrived, the oldest first, and how many there were in all.
    struct RequestLog {
        /// How many requests are kept; the oldest go first.
        static let capacity = 10_000
        /// How many bytes of bodies are kept in all; the oldest requests go first.
        static let bodyCapacity = 64 * 1024 * 1024

        private var requests: [RecordedRequest] = []
        /// Requests before this index are gone; they are removed in bulk, since removing the first one is slow.
        private var first = 0
        private var bodyBytes = 0
        private var counts: [String: Int] = [:]

        mutating func append(_ request: RecordedRequest) {
            requests.append(request)
            bodyBytes += request.body.count
            counts[request.path, default: 0] += 1
            while requests.count - first > Self.capacity
                || (bodyBytes > Self.bodyCapacity && requests.count - first > 1)
            {
                bodyBytes -= requests[first].body.count
                requests[first].body.removeAll()
                first += 1
            }
            if first >= Self.capacity {
                requests.removeFirst(first)
                first = 0
            }
        }

        func requests(to path: String) -> [RecordedRequest] {
            requests[first...].filter { $0.path == path }
        }

        func count(of path: String) -> Int {
            counts[path, default: 0]
        }
    }
#endif
