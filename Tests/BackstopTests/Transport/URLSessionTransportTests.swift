import BackstopTestSupport
import Foundation
import Testing

@testable import Backstop

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("URLSessionTransport", .sockets)
struct URLSessionTransportTests {
    @Test("has the options that its documentation names")
    func defaults() throws {
        for transport in [URLSessionTransport(), try URLSessionTransport(maximumRedirects: 20)] {
            #expect(transport.responseLimit == 67_108_864)
            #expect(transport.maximumRedirects == 20)
            #expect(!transport.allowsInsecureRedirects)
            #expect(transport.idleTimeout == .seconds(60))
            #expect(transport.connectionsPerHost == 6)
            #expect(transport.endsAttemptsInTime)
        }
    }

    @Test("takes the number of connections from the configuration, unless it is given one")
    func connectionsPerHost() throws {
        let configuration = URLSessionTransport.standardConfiguration
        configuration.httpMaximumConnectionsPerHost = 3
        #expect(try URLSessionTransport(configuration: configuration).connectionsPerHost == 3)
        let own = try URLSessionTransport(configuration: configuration, connectionsPerHost: 20)
        #expect(own.connectionsPerHost == 20)
    }

    @Test("takes the idle timeout of a configuration, unless it is given one")
    func idleTimeout() throws {
        let configuration = URLSessionTransport.standardConfiguration
        configuration.timeoutIntervalForRequest = 7
        #expect(try URLSessionTransport(configuration: configuration).idleTimeout == .seconds(7))
        let own = try URLSessionTransport(configuration: configuration, idleTimeout: .seconds(3))
        #expect(own.idleTimeout == .seconds(3))
    }

    @Test("refuses options that make no sense, and names them")
    func refusedOptions() {
        let cases: [(String, () throws -> URLSessionTransport)] = [
            ("URLSessionTransport.responseLimit", { try URLSessionTransport(responseLimit: -1) }),
            ("URLSessionTransport.maximumRedirects", { try URLSessionTransport(maximumRedirects: -1) }),
            ("URLSessionTransport.connectionsPerHost", { try URLSessionTransport(connectionsPerHost: 0) }),
            ("URLSessionTransport.connectionsPerHost", { try URLSessionTransport(connectionsPerHost: -6) }),
            ("URLSessionTransport.idleTimeout", { try URLSessionTransport(idleTimeout: .zero) }),
            ("URLSessionTransport.idleTimeout", { try URLSessionTransport(idleTimeout: .seconds(-1)) }),
            ("URLSessionTransport.idleTimeout", { try URLSessionTransport(idleTimeout: .seconds(604_801)) }),
        ]
        for (setting, make) in cases {
            let error = #expect(throws: ConfigurationError.self) { try make() }
            #expect(error?.setting == setting)
        }
    }

    @Test("refuses a configuration with a header that cannot be sent, and does not show its value")
    func refusedHeader() {
        let configuration = URLSessionTransport.standardConfiguration
        configuration.httpAdditionalHeaders = ["X-Key": "hunter2\nb"]
        let error = #expect(throws: ConfigurationError.self) {
            try URLSessionTransport(configuration: configuration)
        }
        #expect(error?.setting == "URLSessionTransport.configuration")
        #expect(error?.description.contains("X-Key") == true)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test("refuses the settings of a background session, which follows redirects with credentials")
    func background() {
        #expect(throws: Never.self) { try URLSessionTransport.check(identifier: nil) }
        let problem = #expect(throws: ConfigurationError.self) { try URLSessionTransport.check(identifier: "sync") }
        #expect(problem?.setting == "URLSessionTransport.configuration")
        #expect(problem?.description.contains("background session, but is that of sync") == true)
    }

    @Test("says in the trace that it does not apply the options of the network, where it does not")
    func networkOptions() async throws {
        for isSet in [false, true] {
            var options = CallOptions()
            options.values.network.allowsConstrainedNetworkAccess = !isSet
            let context = CallContext(options: options)
            let request = try HTTP.Request(.get, "http://127.0.0.1:9/")
            _ = try? await URLSessionTransport().send(request, context: context)
            #if canImport(FoundationNetworking)
                #expect(context.trace.text.contains("does not apply the call's network options") == isSet)
            #endif
        }
    }

    @Test("keeps no cookies, no cache and no credentials of its own")
    func standardConfiguration() {
        let configuration = URLSessionTransport.standardConfiguration
        #expect(configuration.httpCookieStorage == nil)
        #expect(configuration.urlCache == nil)
        #expect(configuration.urlCredentialStorage == nil)
    }

    @Test("sends nothing when the task was cancelled before")
    func cancelledBefore() async throws {
        let context = CallContext()
        let request = try HTTP.Request(.get, "http://127.0.0.1:9/")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await URLSessionTransport().send(request, context: context)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(context.sentRequest == nil)
    }

    @Test("sends nothing when a header was refused")
    func refusedHeader() async throws {
        var request = try HTTP.Request(.get, "http://127.0.0.1:9/")
        request.headers["X"] = "a\nb"
        let context = CallContext()
        let error = await #expect(throws: RequestError.self) {
            try await URLSessionTransport().send(request, context: context)
        }
        #expect(error?.code == .invalidHeader)
        #expect(context.sentRequest == nil)
    }

    @Test("sends nothing to a URL that is not one of http")
    func invalidURL() async throws {
        let request = try HTTP.Request(.get, "books")
        let error = await #expect(throws: RequestError.self) {
            try await URLSessionTransport().send(request, context: CallContext())
        }
        #expect(error?.code == .invalidURL)
    }

    @Test("sends nothing when a file cannot be read")
    func unreadableFile() async throws {
        let file = URL(fileURLWithPath: "/nonexistent/file")
        let request = try HTTP.Request(.post, "http://127.0.0.1:9/", body: .file(file))
        let error = await #expect(throws: RequestError.self) {
            try await URLSessionTransport().send(request, context: CallContext())
        }
        #expect(error?.code == .bodyUnreadable)
    }

    @Test("is the end of a chain")
    func chain() throws {
        let chain = try HTTP.Chain(transport: URLSessionTransport()) {}
        #expect(!chain.description.isEmpty)
    }

    @Test("goes away when nobody holds it any more")
    func noCycle() {
        weak var transport: URLSessionTransport?
        do {
            let made = URLSessionTransport()
            transport = made
        }
        #expect(transport == nil)
    }
}
