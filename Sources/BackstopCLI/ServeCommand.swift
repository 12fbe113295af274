#if Demo
    internal import ArgumentParser
    internal import BackstopFaultServer
    internal import Foundation

    /// `backstop serve`: only the fault server.
    struct ServeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Starts the fault server on 127.0.0.1, with the playground at / and a sign-up form at /signup.")

        @Option(parsing: .unconditional, help: "The port; 0 for any free one.")
        var port: UInt16 = 0

        @Option(parsing: .unconditional, help: "The seconds that the server asks to wait during maintenance.")
        var retryAfter: UInt32 = 17

        func run() async throws {
            // Before the address is printed: its reader may send the signal at once.
            let signals = Interrupt.signals()
            let server: FaultServer
            do {
                server = try await FaultServer.start(
                    .init(port: port, retryAfter: Int(retryAfter)), mounting: Playground().mounts + SignUpForm().mounts)
            } catch let error as FaultServer.StartError {
                Console.writeError("\(error)")
                throw ExitCode(1)
            }
            try Console.write(
                "The fault server listens on \(server.url.absoluteString) (other origin: \(server.otherOrigin.absoluteString))."
            )
            try Console.write("Open the first in a browser for the playground. Control-C stops it.")
            await Interrupt.wait(for: signals)
            await server.stop()
        }
    }
#endif
