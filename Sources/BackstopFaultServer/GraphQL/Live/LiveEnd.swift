#if Demo
    import Foundation

    /// How a stream or a socket of live results ended.
    enum LiveEnd: Sendable {
        case closed
        case cut(Ending)
        /// The client has left, or the task was cancelled.
        case failed
    }

    extension SharedWriter {
        /// Sends what it is given until the last piece, the cut, or the end of the connection.
        func run(cut: StreamRoutes.Cut?, _ write: @Sendable (Data) async throws -> Void) async -> LiveEnd {
            switch await run(atMost: cut?.position ?? .max, write) {
            case .closed: .closed
            case .cut: await (try? cut?.end()).map { .cut($0) } ?? .failed
            case .failed: .failed
            }
        }
    }
#endif
