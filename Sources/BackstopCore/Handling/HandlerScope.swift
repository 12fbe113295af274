/// The handlers of a feature.
public struct HandlerScope: Sendable {
    /// The scope's name; it stands before the names of its handlers: `checkout: On(status.409)`.
    public let name: String
    /// The handlers, in the order in which they are asked.
    public let handlers: [any FailureHandler]

    /// Makes a scope.
    public init(_ name: String, @HandlerBuilder handlers: () -> [any FailureHandler]) {
        self.name = name
        self.handlers = handlers()
    }
}
