#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// How long the processor works for a function, whatever else the machine does meanwhile.
///
/// Limits for the cost of code are set on this: the time on the wall also counts what other tests do.
public func cpuTime(_ function: () throws -> Void) rethrows -> Duration {
    let start = threadTime()
    try function()
    return threadTime() - start
}

/// The same for an async function that never suspends, and so stays on one thread.
nonisolated(nonsending) public func cpuTime(
    withoutSuspending function: nonisolated(nonsending) () async throws -> Void
) async rethrows -> Duration {
    let start = threadTime()
    try await function()
    return threadTime() - start
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}
