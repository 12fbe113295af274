#if Demo && os(Linux)
    import CSystemLinux
    import FlyingSocks

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// Tells when sockets can be read or written, and believes what the kernel says of them.
    ///
    /// FlyingSocks' own queue remembers which descriptors it has registered, and asks the kernel nothing when it thinks
    /// that one is there already. But the kernel forgets a socket when it is closed. The next one with the same number
    /// is never reported as ready, and blocks the only queue of the process. Here each change is made whatever the kernel
    /// knows of the descriptor: it is added where it is not there, and changed where it is.
    struct ReadinessQueue: EventQueue {
        /// The kernel's numbers, which Glibc and Musl give different types.
        private enum Flag {
            static let readable: UInt32 = 0x001
            static let writable: UInt32 = 0x004
            static let failed: UInt32 = 0x008
            static let hungUp: UInt32 = 0x010
            static let once: UInt32 = 1 << 30
            static let notInherited: Int32 = 0o2_000_000
            static let nonBlocking: Int32 = 0o4000
        }

        private static let maximumEvents = 256
        private static let closed = Socket.FileDescriptor(rawValue: -1)

        /// What the pool waits for, by descriptor.
        private var interests: [Socket.FileDescriptor: Socket.Events] = [:]
        private var queue = Self.closed
        /// Becomes readable when the queue is stopped, and so wakes the thread that waits.
        private var stopSignal = Self.closed

        mutating func open() throws {
            queue = try Self.descriptor(epoll_create1(Flag.notInherited), of: "epoll_create1")
            stopSignal = try Self.descriptor(eventfd(0, Flag.nonBlocking | Flag.notInherited), of: "eventfd")
            try register(Flag.readable, for: stopSignal)
        }

        mutating func stop() throws {
            interests = [:]
            eventfd_write(stopSignal.rawValue, 1)
        }

        mutating func close() throws {
            for descriptor in [queue, stopSignal] where descriptor != Self.closed {
                try? Socket(file: descriptor).close()
            }
            queue = Self.closed
            stopSignal = Self.closed
        }

        mutating func addEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) throws {
            let wanted = interests[socket, default: []].union(events)
            try register(Self.mask(wanted), for: socket)
            interests[socket] = wanted
        }

        mutating func removeEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) throws {
            let wanted = interests.removeValue(forKey: socket)?.subtracting(events) ?? []
            if wanted.isEmpty {
                // Fails where the socket is closed already, and that is as good.
                var event = epoll_event()
                _ = epoll_ctl(queue.rawValue, EPOLL_CTL_DEL, socket.rawValue, &event)
            } else {
                try register(Self.mask(wanted), for: socket)
                interests[socket] = wanted
            }
        }

        func getNotifications() throws -> [EventNotification] {
            var events = Array(repeating: epoll_event(), count: Self.maximumEvents)
            let count = epoll_wait(queue.rawValue, &events, Int32(events.count), -1)
            guard count >= 0 else {
                // A signal is no failure: the pool asks again.
                if errno == EINTR { return [] }
                throw SocketError.makeFailed("epoll_wait")
            }
            return try events.prefix(Int(count)).map { event in
                guard event.data.fd != stopSignal.rawValue else { throw SocketError.disconnected }
                return Self.notification(of: event)
            }
        }

        /// Has the kernel tell once when the descriptor is ready; each further call asks for one more time.
        private func register(_ mask: UInt32, for descriptor: Socket.FileDescriptor) throws {
            var event = epoll_event()
            event.events = mask | Flag.once
            event.data.fd = descriptor.rawValue
            if epoll_ctl(queue.rawValue, EPOLL_CTL_MOD, descriptor.rawValue, &event) == 0 { return }
            guard errno == ENOENT, epoll_ctl(queue.rawValue, EPOLL_CTL_ADD, descriptor.rawValue, &event) == 0 else {
                throw SocketError.makeFailed("epoll_ctl")
            }
        }

        private static func mask(_ events: Socket.Events) -> UInt32 {
            (events.contains(.read) ? Flag.readable : 0) | (events.contains(.write) ? Flag.writable : 0)
        }

        /// An error or the end counts as ready for everything: the read or write that follows says what it is.
        private static func notification(of event: epoll_event) -> EventNotification {
            let isOver = event.events & (Flag.failed | Flag.hungUp) != 0
            var events: Socket.Events = []
            if isOver || event.events & Flag.readable != 0 { events.insert(.read) }
            if isOver || event.events & Flag.writable != 0 { events.insert(.write) }
            return EventNotification(file: .init(rawValue: event.data.fd), events: events, errors: [])
        }

        private static func descriptor(_ value: Int32, of call: StaticString) throws -> Socket.FileDescriptor {
            guard value >= 0 else { throw SocketError.makeFailed(call) }
            return Socket.FileDescriptor(rawValue: value)
        }

    }
#endif
