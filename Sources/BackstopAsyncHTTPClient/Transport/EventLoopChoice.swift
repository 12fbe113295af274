#if AsyncHTTPClient
    internal import BackstopCore
    internal import NIOCore

    /// Chooses the event loop that a request and its connection run on: the one with the fewest requests, the first of
    /// several.
    ///
    /// The library hands each event of a response from the connection's loop to the request's. With loops chosen in
    /// turn, a kept connection would be on another loop every other time, and each event would cost a change of
    /// threads.
    final class EventLoopChoice: Sendable {
        private let loops: [any EventLoop]
        /// How many requests each loop has, guarded by the lock.
        private let requests: Lock<[Int]>

        init(_ group: any EventLoopGroup) {
            loops = Array(group.makeIterator())
            requests = Lock(Array(repeating: 0, count: loops.count))
        }

        /// - Returns: The loop, and its place, which is given back.
        func take() -> (loop: any EventLoop, place: Int) {
            let place = requests.withLock { requests in
                let best = requests.indices.min { requests[$0] < requests[$1] } ?? 0
                requests[best] += 1
                return best
            }
            return (loops[place], place)
        }

        func giveBack(_ place: Int) {
            requests.withLock { $0[place] -= 1 }
        }
    }
#endif
