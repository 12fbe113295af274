/// The handlers that an app registers once, for every failure that no other handler handles.
///
/// ```swift
/// try DefaultHandlers.register {
///     On(.offline) { _ in print("You are offline.") }
///     Otherwise { failure in print(failure.message.text) }
/// }
/// ```
public enum DefaultHandlers {
    /// Handlers, and where they were registered.
    package struct Registration: Sendable {
        let handlers: [any FailureHandler]
        let place: String
    }

    /// The registered handlers, guarded by the lock.
    private static let registered = Lock<Registration?>(nil)

    @TaskLocal private static var replacement: Registration?

    /// Registers the app's default handlers, asked in the order written.
    ///
    /// - Throws: ``RegistrationError`` when handlers are already registered; it says where.
    public static func register(
        fileID: String = #fileID, line: Int = #line, @HandlerBuilder _ handlers: () -> [any FailureHandler]
    ) throws(RegistrationError) {
        let registration = Registration(handlers: handlers(), place: "\(fileID):\(line)")
        let first = registered.withLock { registered in
            defer { registered = registered ?? registration }
            return registered?.place
        }
        if let first {
            throw RegistrationError(first: first, second: registration.place)
        }
    }

    /// Replaces the default handlers for the tasks of one operation, so that tests can run in parallel.
    ///
    /// ```swift
    /// await DefaultHandlers.withHandlers {
    ///     Otherwise { _ in .handled }
    /// } operation: {
    ///     // Calls made here, and in tasks started here, see only these handlers.
    /// }
    /// ```
    nonisolated(nonsending) public static func withHandlers<Result>(
        fileID: String = #fileID, line: Int = #line, @HandlerBuilder _ handlers: () -> [any FailureHandler],
        operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await $replacement.withValue(
            Registration(handlers: handlers(), place: "\(fileID):\(line)"), operation: operation)
    }

    /// What replaces the registered handlers in this task; nil when nothing does.
    package static var replacing: Registration? {
        replacement
    }

    /// Runs an operation with the replacement of another task; nil changes nothing.
    nonisolated(nonsending) package static func withReplacement<Result>(
        _ registration: Registration?, operation: nonisolated(nonsending) () async -> Result
    ) async -> Result {
        await $replacement.withValue(registration ?? replacement, operation: operation)
    }

    /// Does something with the replacement of another task, or with none.
    package static func replacing<Result>(with registration: Registration?, _ operation: () -> Result) -> Result {
        $replacement.withValue(registration, operation: operation)
    }

    /// The handlers for the current task; nil when none are registered.
    static var current: Registration? {
        replacement ?? registered.withLock { $0 }
    }
}

/// Default handlers were registered twice.
public struct RegistrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Where they were registered first, as `module/file:line`.
    public let first: String
    /// Where they were registered again, without effect.
    public let second: String

    /// Both places, and what to do.
    public var description: String {
        """
        Default handlers are already registered, at \(first); the registration at \(second) changed nothing. \
        Register once, at launch; for a part of the app use client.scoped, and in tests \
        DefaultHandlers.withHandlers.
        """
    }
}
