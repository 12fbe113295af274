public import BackstopCore

extension TimeoutError.Kind {
    /// The limit on the connection of a `GraphQL.Socket` and its acknowledgement. No operation was sent,
    /// so `Retry` may repeat any.
    public static let acknowledgement = Self(
        "acknowledgement", isTransient: true, isBeforeSending: true,
        explanation: "The server did not acknowledge the connection of the GraphQL socket in time.",
        nextStep: "Find out why the server is slow to open connections, or raise the socket's acknowledge limit.")
}
