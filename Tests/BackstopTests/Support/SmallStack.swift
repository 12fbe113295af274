import Foundation

/// Runs work on a thread with a stack of 512 KiB, which is what worker threads have on Apple's systems and with musl. A
/// recursion that a server drives ends the process there first.
func onSmallStack<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: work()) }
        thread.stackSize = 512 << 10
        thread.start()
    }
}
