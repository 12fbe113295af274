#if Demo
    import BackstopTestSupport
    import FlyingSocks
    import Testing

    @testable import BackstopFaultServer

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    @Suite("The event loop", .sockets) struct EventLoopTests {
        // On Apple platforms, the queue is that of FlyingSocks.
        #if os(Linux)
            @Test("watches a descriptor that was closed, and is another socket now") func reusedDescriptor() throws {
                try withQueue { queue in
                    let (old, new) = (try Pair(), try Pair())
                    try queue.addEvents(.read, for: old.near)
                    // Closes the socket that is watched, and gives its number to another one.
                    try #require(dup2(new.near.rawValue, old.near.rawValue) >= 0)

                    try queue.addEvents(.read, for: old.near)

                    try new.arrive()
                    #expect(try filesReady(in: &queue).contains(old.near))
                }
            }

            @Test("watches a descriptor again after its socket was closed too early") func closedTooEarly() throws {
                try withQueue { queue in
                    let (old, new) = (try Pair(), try Pair())
                    try queue.addEvents(.read, for: old.near)
                    try #require(dup2(new.near.rawValue, old.near.rawValue) >= 0)
                    // The kernel does not know it any more: whether that is an error does not matter, what follows does.
                    try? queue.removeEvents(.read, for: old.near)

                    try queue.addEvents([.read, .write], for: old.near)

                    #expect(try filesReady(in: &queue).contains(old.near))
                }
            }

            @Test("tells that a socket has ended to those that wait for either side") func ended() throws {
                try withQueue { queue in
                    let pair = try Pair()
                    try queue.addEvents([.read, .write], for: pair.near)
                    pair.closeFar()

                    let notification = try #require(
                        try queue.getNotifications().first { $0.file == pair.near })
                    #expect(notification.events == [.read, .write])
                }
            }
        #endif

        @Test("keeps on watching one side when the other is not waited for any more") func otherSide() throws {
            try withQueue { queue in
                let pair = try Pair()
                try queue.addEvents([.read, .write], for: pair.near)
                try queue.removeEvents(.write, for: pair.near)
                try pair.arrive()

                let notification = try #require(
                    try queue.getNotifications().first { $0.file == pair.near })
                #expect(notification.events == [.read])
            }
        }

        @Test("ends its wait when it is stopped") func stop() throws {
            var queue = EventLoop.makeQueue()
            try queue.open()
            let copy = queue
            try queue.stop()

            #expect(throws: (any Error).self) { try copy.getNotifications() }

            try queue.close()
        }

        /// The descriptors that are ready now. One is always ready, so that a mistake does not wait forever.
        private func filesReady(in queue: inout EventLoop.Queue) throws -> Set<Socket.FileDescriptor> {
            let witness = try Pair()
            try queue.addEvents(.read, for: witness.near)
            try witness.arrive()
            return Set(try queue.getNotifications().map(\.file))
        }

        private func withQueue(_ test: (inout EventLoop.Queue) throws -> Void) throws {
            var queue = EventLoop.makeQueue()
            try queue.open()
            defer {
                try? queue.stop()
                try? queue.close()
            }
            try test(&queue)
        }

        /// Two sockets that are connected with each other. They are closed with the last reference.
        private final class Pair {
            let near: Socket.FileDescriptor
            private let far: Int32
            private var isFarOpen = true

            init() throws {
                var files: [Int32] = [0, 0]
                #if canImport(Glibc)
                    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &files) == 0)
                #else
                    try #require(socketpair(AF_UNIX, SOCK_STREAM, 0, &files) == 0)
                #endif
                (near, far) = (Socket.FileDescriptor(rawValue: files[0]), files[1])
            }

            /// Sends one byte to the near side.
            func arrive() throws {
                try #require(write(far, "x", 1) == 1)
            }

            func closeFar() {
                close(far)
                isFarOpen = false
            }

            deinit {
                close(near.rawValue)
                if isFarOpen { close(far) }
            }
        }
    }
#endif
