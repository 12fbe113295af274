#if Demo && AsyncHTTPClient
    import Foundation
    import Testing

    @testable import Backstop
    @testable import BackstopTesting

    /// `backstop proxy` as it was started, with what it prints.
    final class ProxyProcess: Sendable {
        let url: String
        let port: UInt16
        let process: CommandProcess
        private let pipe: Pipe

        /// Starts it in front of a service, runs a test, and ends it.
        static func with(
            _ service: String, _ arguments: [String] = [], _ test: (ProxyProcess) async throws -> Void
        ) async throws {
            let proxy = try await ProxyProcess(["proxy", service] + arguments)
            defer { proxy.process.send(SIGKILL) }
            try await test(proxy)
        }

        private init(_ arguments: [String]) async throws {
            let pipe = Pipe()
            self.pipe = pipe
            process = try CommandProcess(arguments, output: pipe)
            var text = ""
            while !text.contains("Control-C") {
                let data = try await BlockingWork().run { pipe.fileHandleForReading.availableData }
                try #require(!data.isEmpty)
                text += String(decoding: data, as: UTF8.self)
            }
            let url = try #require(text.split(separator: " ").first { $0.hasPrefix("http://127.0.0.1:") })
            self.url = String(url)
            port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
        }

        /// Stops it as `kill` does.
        ///
        /// - Returns: What it has printed since its address, and the exit status.
        func stop() async throws -> (output: String, status: Int32) {
            process.send(SIGTERM)
            let status = try await process.status()
            let pipe = pipe
            let data = try await BlockingWork().run { pipe.fileHandleForReading.readDataToEndOfFile() }
            return (String(decoding: data, as: UTF8.self), status)
        }

        /// Sends bytes.
        func open(_ request: String) throws -> RawReply {
            try RawReply(port, request)
        }

        /// The whole answer to bytes; empty if there is none.
        func raw(_ request: String) async throws -> String {
            try await open(request).rest()
        }

        /// The whole answer to a request.
        func answer(
            _ method: String = "GET", _ target: String, _ fields: String = "", body: String = ""
        ) async throws -> String {
            let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
            let host = "Host: localhost:\(port)\r\n"
            return try await raw("\(method) \(target) HTTP/1.1\r\n\(host)\(fields)\(length)\r\n\(body)")
        }

        /// What `GET /__backstop/log` says.
        func log() async throws -> ProxyState {
            let answer = try await answer("GET", "/__backstop/log")
            let body = try #require(answer.components(separatedBy: "\r\n\r\n").last)
            return try JSONDecoder().decode(ProxyState.self, from: Data(body.utf8))
        }
    }

    /// What the proxy says of itself.
    struct ProxyState: Decodable {
        struct Exchange: Decodable {
            let method: String
            let target: String
            let status: Int?
            let result: String
        }

        let upstream: String
        let faults: [String]
        let exchanges: [Exchange]
    }

    /// A connection on which bytes were sent as they are.
    final class RawReply: Sendable {
        private let descriptor: Int32

        init(_ port: UInt16, _ request: String) throws {
            descriptor = try WireSocket.connection(to: port, on: .ipv4)
            _ = fcntl(descriptor, F_SETFL, 0)
            #expect(WireSocket.send(Array(request.utf8)[...], on: descriptor))
        }

        deinit {
            WireSocket.closeSocket(descriptor, resetting: false)
        }

        func send(_ text: String) async throws {
            let descriptor = descriptor
            _ = try await BlockingWork().run { WireSocket.send(Array(text.utf8)[...], on: descriptor) }
        }

        private func more() async throws -> [UInt8] {
            let descriptor = descriptor
            return try await BlockingWork().run { WireSocket.receive(from: descriptor) }
        }

        /// What comes until there is a text.
        func read(until text: String) async throws -> String {
            var bytes: [UInt8] = []
            while !String(decoding: bytes, as: UTF8.self).contains(text) {
                let more = try await more()
                try #require(!more.isEmpty)
                bytes += more
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Whether the connection ends with a reset.
        func isReset() async throws -> Bool {
            let descriptor = descriptor
            return try await BlockingWork().run {
                var bytes = [UInt8](repeating: 0, count: 65_536)
                var count = 1
                while count > 0 || count < 0 && errno == EINTR {
                    count = recv(descriptor, &bytes, bytes.count, 0)
                }
                return count < 0
            }
        }

        /// What comes until the end of the connection.
        func rest() async throws -> String {
            var bytes: [UInt8] = []
            while case let more = try await more(), !more.isEmpty { bytes += more }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
#endif
