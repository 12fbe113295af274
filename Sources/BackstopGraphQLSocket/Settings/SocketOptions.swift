internal import BackstopCore

/// The limits of a socket.
struct SocketOptions: Sendable {
    var idle = Duration.seconds(10)
    var ping: Duration? = .seconds(20)
    var acknowledge = Duration.seconds(10)
    var longest = 1 << 20
    var persistsQueries = false
    /// How many bytes of a subscription may wait to be read. A connection that others share cannot make the server wait.
    var unread = 16 << 20
    /// How many bytes may wait until the server reads them: pongs and messages to a server that never does. A
    /// socket of server-sent events has no such limit, since each operation has a request of its own.
    var unwritten = 16 << 20

    /// A week: longer than any wait that is meant.
    private static let most = Duration.seconds(604_800)

    /// Checks the ranges.
    func check() throws(ConfigurationError) {
        try ConfigurationError.require(
            idle >= .zero && idle <= Self.most, "GraphQL.Socket.idle", "must be from 0 to a week, but is \(idle)",
            fix: "Set how long the connection stays open without operations")
        try ConfigurationError.require(
            ping.map { $0 >= .seconds(1) && $0 <= Self.most } ?? true, "GraphQL.Socket.ping",
            "must be from a second to a week, but is \(ping?.description ?? "")",
            fix: "Set the time between two pings, or nil for none")
        try ConfigurationError.require(
            acknowledge > .zero && acknowledge <= Self.most, "GraphQL.Socket.acknowledge",
            "must be more than 0 and at most a week, but is \(acknowledge)",
            fix: "Set how long the server may take to open and acknowledge the connection")
        try ConfigurationError.require(
            (1024...(256 << 20)).contains(longest), "GraphQL.Socket.longest",
            "must be from 1024 to 268435456 bytes, but is \(longest)",
            fix: "Set how many bytes a message of the server may have")
    }
}
