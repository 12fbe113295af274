import Backstop
import BackstopCore
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket

@Suite("The options of a socket", .limited)
struct SocketOptionsTests {
    @Test(
        "have ranges",
        arguments: [
            (SocketOptions(idle: .seconds(-1)), "idle"), (SocketOptions(idle: .seconds(604_801)), "idle"),
            (SocketOptions(ping: .zero), "ping"), (SocketOptions(ping: .milliseconds(999)), "ping"),
            (SocketOptions(acknowledge: .zero), "acknowledge"), (SocketOptions(longest: 1023), "longest"),
            (SocketOptions(longest: 256 << 20 + 1), "longest"), (SocketOptions(idle: .zero, ping: nil), nil),
            (SocketOptions(), nil),
        ] as [(SocketOptions, String?)])
    func ranges(options: SocketOptions, setting: String?) {
        let error = setting.map { _ in #expect(throws: ConfigurationError.self) { try options.check() } } ?? nil
        #expect(error?.setting == setting.map { "GraphQL.Socket.\($0)" })
        if setting == nil {
            #expect(throws: Never.self) { try options.check() }
        }
    }

    #if canImport(Darwin) || AsyncHTTPClient
        @Test("are arguments, with the documented defaults")
        func arguments() throws {
            let socket = try GraphQL.Socket("wss://api.example.com/graphql")
            #expect(socket.idle == .seconds(10) && socket.ping == .seconds(20))
            #expect(socket.acknowledge == .seconds(10) && socket.longest == 1 << 20)
            #expect(!socket.persistsQueries)
            let own = try GraphQL.Socket(
                "wss://api.example.com/graphql", idle: .zero, ping: nil, acknowledge: .seconds(3), longest: 2048,
                persistsQueries: true
            ) { headers in
                ["Authorization": headers["Authorization"] ?? ""]
            }
            #expect(own.idle == .zero && own.ping == nil && own.acknowledge == .seconds(3) && own.longest == 2048)
            #expect(own.persistsQueries)
        }
    #endif

    @Test(
        "have a URL",
        arguments: [
            ("wss://a.example/graphql", "a.example", 443, "/graphql", "a.example"),
            ("ws://a.example", "a.example", 80, "/", "a.example"),
            ("WS://a.example:81?a=%20b", "a.example", 81, "/?a=%20b", "a.example:81"),
            ("wss://[::1]:9/g?x", "::1", 9, "/g?x", "[::1]:9"),
            ("ws://127.0.0.1:80/a/b", "127.0.0.1", 80, "/a/b", "127.0.0.1"),
        ])
    func urls(text: String, host: String, port: Int, target: String, authority: String) throws {
        let url = try SocketURL(text)
        #expect(url.host == host && url.port == port && url.target == target && url.authority == authority)
    }

    @Test(
        "have no other URL",
        arguments: [
            "", "a.example", "https://a.example", "ws://", "ws:///a", "ws://a.example:0", "ws://a.example:70000",
            "ws://u:p@a.example", "ws://a.example/#a", "ws://a.example/\r\nX: y", "ws://a example", "ws://é.example",
        ])
    func wrong(text: String) {
        let error = #expect(throws: ConfigurationError.self) { try SocketURL(text) }
        #expect(error?.setting == "GraphQL.Socket.url")
    }
}
