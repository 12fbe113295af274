#if Observability
    internal import BackstopCore
    internal import Foundation

    /// A server as metrics name it: host, port and scheme of the URL that the app asked for.
    struct ServerLabels: Sendable {
        /// The number in its store; the same for the same labels.
        let number: Int
        let labels: [(String, String)]

        fileprivate init(number: Int, address: String, port: String, scheme: String) {
            self.number = number
            labels = [
                (AttributeName.address, address), (AttributeName.port, port), (AttributeName.scheme, scheme),
            ]
        }

        /// A call without a request.
        static let none = ServerLabels(number: -1, address: "", port: "", scheme: "")
        /// A server beyond the limit.
        static let other = ServerLabels(
            number: -2, address: Label.other, port: Label.other, scheme: Label.other)
    }

    /// The servers that a process calls, up to a limit.
    final class ServerList: Sendable {
        private struct Origin: Hashable {
            let scheme: String
            let host: String
            let port: Int
        }

        private let limit: Int
        /// The servers so far, guarded by the lock.
        private let servers = Lock<[Origin: ServerLabels]>([:])

        init(limit: Int) {
            self.limit = limit
        }

        /// The server of a URL; beyond the limit all have the same labels.
        func server(of url: URL?) -> ServerLabels {
            guard let url, let host = url.host, host.utf8.count <= 255 else {
                return url == nil ? .none : .other
            }
            let origin = Origin(
                scheme: url.scheme?.lowercased() ?? "", host: host.lowercased(), port: url.effectivePort)
            return servers.withLock { servers in
                if let known = servers[origin] {
                    return known
                }
                guard servers.count < limit else {
                    return .other
                }
                let new = ServerLabels(
                    number: servers.count, address: origin.host, port: "\(origin.port)", scheme: origin.scheme)
                servers[origin] = new
                return new
            }
        }
    }
#endif
