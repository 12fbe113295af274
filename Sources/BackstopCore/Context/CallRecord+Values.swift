extension CallRecord {
    /// How often a change runs again because others changed the values meanwhile; after that it is applied on top of
    /// theirs.
    private static let editLimit = 100

    /// Changes the values atomically.
    ///
    /// The change runs on a copy, outside the lock, and runs again if the values changed meanwhile.
    func edit<Result>(_ change: (inout CallValues) throws -> Result) rethrows -> Result {
        var count = 0
        while true {
            count += 1
            let (values, version) = state.withLock { ($0.values, $0.valuesVersion) }
            var copy = values
            copy.trackChanges()
            let result = try change(&copy)
            let isLast = count == Self.editLimit
            let (isDone, old) = state.withLock { [copy] state -> (Bool, CallValues?) in
                guard isLast || state.valuesVersion == version else {
                    return (false, nil)
                }
                let old = state.values
                state.values.take(copy, over: state.valuesVersion != version)
                state.valuesVersion &+= 1
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
        change { state in
            state.valuesVersion &+= 1
            return exchange(&state.values, with: values)
        }
    }
}
