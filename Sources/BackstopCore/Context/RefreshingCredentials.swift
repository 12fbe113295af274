/// What the calls of a task that refreshes tokens need to know.
package enum RefreshingCredentials {
    /// The credentials whose refresh runs in this task. Its own calls get no token, and do not wait for themselves.
    @TaskLocal package static var current: Set<ObjectIdentifier> = []

    /// Whether a refresh runs in this task: what its calls send and receive are tokens.
    package static var isAny: Bool { !current.isEmpty }
}
