#if Demo
    internal import ArgumentParser
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import Foundation

    #if AsyncHTTPClient
        internal import BackstopAsyncHTTPClient
    #endif

    /// `backstop proxy`: a service that fails when it is told to.
    struct ProxyCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "proxy",
            abstract: "Passes calls to a service and back, and breaks those that you choose.",
            discussion: """
                Make the address that it prints the base URL of the app. Its page, at \(ProxyPage.path), breaks calls and \
                shows the latest, with the time to the head of the answer; so do scripts:
                  curl -X PUT -d 'GET /orders/* 503' http://127.0.0.1:PORT\(ProxyPage.path)faults/next
                  curl -X DELETE http://127.0.0.1:PORT\(ProxyPage.path)faults
                  curl http://127.0.0.1:PORT\(ProxyPage.path)log
                PUT \(ProxyPage.path)faults replaces all, one a line.

                A fault is written \(ProxyFault.form). In a path, * is one segment and ** any number.
                  400 to 599   answered with it, and not passed on
                  timeout      never answered, and not passed on
                  offline      the connection is reset at once, and nothing is passed on
                  drop         passed on, and the connection reset in the place of the answer
                  cut          passed on, and half of the answer's body comes, or its first part if it has no length
                  html         answered with a page and 200, as the network of a hotel does
                  slow         passed on after 3 seconds, or as many as it says
                An answer that was changed has the header Backstop-Injected. Preflights (CORS) are never broken. Cookies \
                lose Domain, Secure and the base URL's path, and redirects below the base URL lead to the proxy; cookies \
                named __Host- or __Secure-, or with SameSite=None, need https, which the proxy does not speak. WebSockets, \
                trailers and a GET with a body do not go through, nor do bytes of header fields that are not UTF-8. The \
                service gets the header Backstop-Proxy, which ends a loop.
                """)

        @Argument(help: "The base URL of the service.")
        var url: String

        @Option(parsing: .unconditional, help: "The port; 0 for any free one.")
        var port: UInt16 = 0

        @Option(help: "The IPv4 address to listen on; 0.0.0.0 for devices in the network.")
        var host = "127.0.0.1"

        @Option(
            name: .customLong("fault"),
            help: "A fault from the start, such as 'GET /orders/* 503 times=2'. May be repeated.")
        var faults: [String] = []

        @Option(parsing: .unconditional, help: "The share of the calls that get these faults, from 0 to 1.")
        var share = 1.0

        @Option(parsing: .unconditional, help: "Makes the same choice of calls in each run.")
        var seed: UInt64?

        @Option(parsing: .unconditional, help: "Seconds that each other call takes longer, from 0 to 600.")
        var latency: Double?

        func validate() throws {
            guard CallArguments.checksValues else {
                return
            }
            guard latency.map({ (0...600).contains($0) }) ?? true else {
                throw ValidationError("--latency takes a number of seconds from 0 to 600.")
            }
            _ = try makeProxy()
            guard faults.count <= ProxyFaults.countLimit else {
                throw ValidationError("There are more than \(ProxyFaults.countLimit) faults.")
            }
            let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
            guard bytes.count == 4, !bytes.contains(nil) else {
                throw ValidationError("--host takes an IPv4 address, such as 0.0.0.0, not \(host.debugText).")
            }
            guard (0...1).contains(share) else {
                throw ValidationError("--share takes a number from 0 to 1, not \(share).")
            }
        }

        func run() async throws {
            // Before the address is printed: its reader may send the signal at once.
            let signals = Interrupt.signals()
            let proxy = try makeProxy()
            var options = FaultServer.Options(port: port)
            options.host = host
            let server: FaultServer
            do {
                server = try await FaultServer.start(options, mounting: proxy.mounts)
            } catch FaultServer.StartError.cannotListen(_, let reason) {
                Console.writeError("Cannot listen on \(host):\(port): \(reason).")
                throw ExitCode(1)
            }
            let isOpen = !host.hasPrefix("127.")
            if isOpen {
                Console.writeError(
                    "Warning: whoever reaches \(host) can call the service through this proxy, and use its page.")
            }
            let address = "http://\(host == "0.0.0.0" ? "127.0.0.1" : host):\(server.url.port ?? 0)"
            try Console.write(
                "The proxy listens on \(address) and passes calls to \(proxy.fields.base.absoluteString).")
            try Console.write("Break them, and see them, at \(address)\(ProxyPage.path) Control-C stops it.")
            await Interrupt.wait(for: signals)
            await server.stop()
            await proxy.log.flush()
        }

        private func makeProxy() throws -> Proxy {
            do {
                var all = try faults.map { line throws(WebRefusal) in try ProxyFault(line, share: share) }
                if let latency {
                    all.append(try ProxyFault("slow seconds=\(latency)"))
                }
                let random: any RandomSource = seed.map { SeededRandom(seed: $0) } ?? SystemRandom()
                return try Proxy(
                    to: url, faults: ProxyFaults(all, random: random), transport: Self.transport())
            } catch let error as WebRefusal {
                throw ValidationError("\(error.reason).")
            } catch let error as RequestError {
                throw ValidationError(error.detail)
            }
        }

        /// The only transport that leaves compressed bodies as they are, and makes a service wait for a slow app.
        private static func transport() throws -> any HTTP.Transport {
            #if AsyncHTTPClient
                return AsyncHTTPClientTransport.forwarding(idleTimeout: .seconds(300))
            #else
                throw TransportName.missing
            #endif
        }
    }
#endif
