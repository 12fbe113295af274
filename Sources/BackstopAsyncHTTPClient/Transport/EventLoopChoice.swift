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
        /// A loop in use.
        struct Place {
            let loop: any EventLoop
            fileprivate let index: Int
        }

        private let loops: [any EventLoop]
        /// How many requests each loop has, guarded by the lock.
        private let requests: Lock<[Int]>

        init(_ group: any EventLoopGroup) {
            loops = Array(group.makeIterator())
            requests = Lock(Array(repeating: 0, count: loops.count))
        }

        func take() -> Place {
            let index = requests.withLock { requests in
                var best = 0
                for index in requests.indices where requests[index] < requests[best] {
                    best = index
                }
                requests[best] += 1
                return best
            }
            return Place(loop: loops[index], index: index)
        }

        func giveBack(_ place: Place) {
            requests.withLock { $0[place.index] -= 1 }
        }
    }
#endif
