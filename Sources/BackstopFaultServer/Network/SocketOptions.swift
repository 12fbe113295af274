#if Demo
    import FlyingSocks

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// What `close` does with a connection: with 0 seconds of lingering, it resets it (RST) instead of ending it (FIN).
    struct LingerOption: SocketOption {
        var name: Int32 { SO_LINGER }

        func makeValue(from socketValue: linger) -> Int32 { socketValue.l_linger }

        func makeSocketValue(from value: Int32) -> linger { linger(l_onoff: 1, l_linger: value) }
    }

    extension SocketOption where Self == BoolSocketOption {
        /// Sends small answers at once instead of waiting for more to send.
        static var noDelay: Self { BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY) }
    }

    extension Socket {
        /// Keeps the socket from the processes that this one starts: they would hold the connection open.
        func keepFromChildren() {
            _ = fcntl(file.rawValue, F_SETFD, FD_CLOEXEC)
        }

        /// Resets the connection (RST) when it is closed; on Linux at once, whoever else holds it.
        func reset() {
            #if !canImport(Darwin)
                disconnect(file.rawValue)
            #endif
            try? setValue(0, for: LingerOption())
        }

        /// Says to the client that nothing more comes, and stays open for reading.
        func endSending() {
            _ = shutdown(file.rawValue, Int32(SHUT_WR))
        }

        /// Takes nothing more, as if the client had said that nothing more comes: the next read, or one that waits, finds
        /// the end.
        func endReceiving() {
            _ = shutdown(file.rawValue, Int32(SHUT_RD))
        }
    }

    #if !canImport(Darwin)
        /// Connects to no address, which resets the connection at once (tcp(7)): a child may have been started before the
        /// socket was kept from it.
        private func disconnect(_ descriptor: Int32) {
            var nowhere = sockaddr()
            nowhere.sa_family = sa_family_t(AF_UNSPEC)
            _ = connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
        }
    #endif
#endif
