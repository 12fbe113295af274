#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A change of a call's values in progress: the caller's code runs on a copy, without a lock.
struct ValuesEdit {
    /// The thread that the caller's code runs on.
    let thread: UInt
    /// Whether that code also changed the values directly, so that running it again would never end.
    var isOvertaken = false

    /// A number for the current thread.
    static var currentThread: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}

extension CallRecord {
    /// How often a change runs again because others changed the values meanwhile; after that it is applied on top of
    /// theirs.
    private static let editLimit = 100

    /// Changes the values atomically.
    ///
    /// The change runs on a copy, outside the lock, and runs again if the values changed meanwhile. If its own code
    /// also changed them directly, the change is applied on top.
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
            // Replaced values are released here, outside the lock.
            withExtendedLifetime(old) {}
            if isDone {
                return result
            }
        }
    }

    /// Replaces all values.
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
