#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A change of a call's values that is under way: the caller's code runs, on a copy and without a lock.
struct ValuesEdit {
    /// The thread that the caller's code runs on.
    let thread: UInt
    /// Whether that code changed the values in another way meanwhile, so that making the change again would not end.
    var isOvertaken = false

    /// A number for the thread that asks.
    static var currentThread: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}

extension CallRecord {
    /// How often a change is made again because others changed the values meanwhile; then it is laid over theirs.
    private static let editLimit = 100

    /// Changes the values atomically.
    ///
    /// The change is made on a copy, outside the lock, and made again when the values were changed meanwhile. Where the
    /// change itself changes them by another way, what it changed here is laid over that.
    func edit<Result>(_ change: (inout CallValues) throws -> Result) rethrows -> Result {
        let thread = ValuesEdit.currentThread
        var count = 0
        while true {
            count += 1
            let version: UInt64
            var copy: CallValues
            (copy, version) = state.withLock { state in
                state.edits.append(ValuesEdit(thread: thread))
                return (state.values, state.valuesVersion)
            }
            copy.trackChanges()
            let result: Result
            do {
                result = try change(&copy)
            } catch {
                state.withLock { state in
                    _ = state.removeEdit(of: thread)
                }
                throw error
            }
            let isLast = count == Self.editLimit
            let (isDone, old) = state.withLock { state -> (Bool, CallValues?) in
                let isOvertaken = state.removeEdit(of: thread)
                guard isOvertaken || isLast || state.valuesVersion == version else {
                    return (false, nil)
                }
                let old = state.values
                state.values.take(copy, over: state.valuesVersion != version)
                state.didChangeValues(on: thread)
                return (true, old)
            }
            // What was replaced is let go here, outside the lock.
            withExtendedLifetime(old) {}
            if isDone {
                return result
            }
        }
    }

    /// Puts other values in the place of all.
    func replaceValues(_ values: CallValues) {
        let thread = ValuesEdit.currentThread
        let old = state.withLock { state in
            let old = state.values
            state.values = values
            state.didChangeValues(on: thread)
            return old
        }
        withExtendedLifetime(old) {}
    }
}

extension CallRecord.State {
    /// Ends the innermost edit of a thread.
    ///
    /// - Returns: Whether it was overtaken.
    fileprivate mutating func removeEdit(of thread: UInt) -> Bool {
        guard let position = edits.lastIndex(where: { $0.thread == thread }) else {
            return false
        }
        return edits.remove(at: position).isOvertaken
    }

    fileprivate mutating func didChangeValues(on thread: UInt) {
        valuesVersion &+= 1
        for position in edits.indices where edits[position].thread == thread {
            edits[position].isOvertaken = true
        }
    }
}
