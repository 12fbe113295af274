/// The handlers of one feature.
public struct HandlerScope: Sendable {
    /// The scope's name, which precedes the names of its handlers: `checkout: On(status.409)`.
    public let name: String
    /// The handlers, in the order they are asked.
    public let handlers: [any FailureHandler]

    /// Makes a scope.
    public init(_ name: String, @HandlerBuilder handlers: () -> [any FailureHandler]) {
        self.name = name
        self.handlers = handlers()
    }
}

/// Builds a list of handlers.
public typealias HandlerBuilder = ListBuilder<any FailureHandler>
