/// Suspends the task until the continuation is resumed, unless there is nothing to wait for.
///
/// - Parameters:
///   - isReady: Keeps the continuation under the lock of what is waited for, or says that there is nothing to wait for.
///   - cancel: Called when the task is cancelled, perhaps before all else.
nonisolated(nonsending) func suspend(
    unless isReady: (CheckedContinuation<Void, Never>) -> Bool, onCancel cancel: @Sendable () -> Void = {}
) async {
    await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            if isReady(continuation) {
                continuation.resume()
            }
        }
    } onCancel: {
        cancel()
    }
}
