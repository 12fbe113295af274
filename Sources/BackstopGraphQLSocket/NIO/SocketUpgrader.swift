#if AsyncHTTPClient && !canImport(Darwin)
    internal import BackstopCore
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOWebSocket

    /// Asks the server to switch to WebSocket and to our subprotocol, and checks that it does (RFC 6455, 4.1).
    final class SocketUpgrader: NIOHTTPClientProtocolUpgrader, Sendable {
        let supportedProtocol = "websocket"
        let requiredUpgradeHeaders: [String] = []

        private let inner: NIOWebSocketClientUpgrader
        /// What is wrong with the answer, guarded by the lock; nil while nothing is.
        private let found = Lock<String?>(nil)

        /// - Parameters:
        ///   - longest: How many bytes a frame may have.
        ///   - switched: Adds to the pipeline what handles frames.
        init(longest: Int, switched: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>) {
            inner = NIOWebSocketClientUpgrader(
                maxFrameSize: longest, automaticErrorHandling: false,
                upgradePipelineHandler: { channel, _ in switched(channel) })
        }

        /// What is wrong with the answer, as a sentence.
        var problem: String {
            found.withLock { $0 } ?? "The server answered 101 without the field \"Upgrade: websocket\""
        }

        func addCustom(upgradeRequestHeaders: inout HTTPHeaders) {
            inner.addCustom(upgradeRequestHeaders: &upgradeRequestHeaders)
            upgradeRequestHeaders.add(name: "Sec-WebSocket-Protocol", value: SocketTarget.subprotocol)
        }

        func shouldAllowUpgrade(upgradeResponse: HTTPResponseHead) -> Bool {
            let problem = check(upgradeResponse)
            found.withLock { $0 = problem }
            return problem == nil
        }

        func upgrade(context: ChannelHandlerContext, upgradeResponse: HTTPResponseHead) -> EventLoopFuture<Void> {
            inner.upgrade(context: context, upgradeResponse: upgradeResponse)
        }

        private func check(_ head: HTTPResponseHead) -> String? {
            guard head.headers[canonicalForm: "Connection"].contains(where: { $0.lowercased() == "upgrade" }) else {
                return
                    "The server answered the request for a WebSocket with 101 without the field \"Connection: Upgrade\""
            }
            guard inner.shouldAllowUpgrade(upgradeResponse: head) else {
                return "The server's Sec-WebSocket-Accept does not belong to the key that was sent: something between "
                    + "may have answered from a cache"
            }
            guard head.headers[canonicalForm: "Sec-WebSocket-Extensions"].allSatisfy(\.isEmpty) else {
                return "The server chose an extension of WebSocket, and none was offered"
            }
            let chosen = head.headers[canonicalForm: "Sec-WebSocket-Protocol"]
            guard !chosen.isEmpty else {
                return "The server switched to WebSocket without a subprotocol: it does not speak "
                    + SocketTarget.subprotocol
            }
            guard chosen.count == 1, chosen.first == SocketTarget.subprotocol[...] else {
                let names = Redaction.quoted(chosen.joined(separator: ", "))
                return "The server chose the subprotocol \(names), and only \(SocketTarget.subprotocol) was offered"
            }
            return nil
        }
    }
#endif
