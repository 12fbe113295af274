/// Suspends until the task is cancelled, without a clock.
///
/// - Throws: `CancellationError`, as a sleep that is cancelled does.
package func untilCancelled() async throws {
    let (stream, source) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    source.finish()
    throw CancellationError()
}
