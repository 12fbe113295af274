public import BackstopCore

extension LoadingState where Value: Sendable {
    /// Loads into a property of a model: `loading`, and then `loaded` or `failed`.
    ///
    /// Of several loads into one property the latest counts that was not cancelled, whatever order they end in. When all
    /// are cancelled, the property is as it was before, with the value that it has by then. What the app sets in the
    /// meantime counts: a load whose property is no longer `loading` brings nothing. To change the value and go on loading,
    /// use ``map(_:)``.
    ///
    /// Name the property in the same way each time: `\Base.hits` and `\Derived.hits` count as two.
    ///
    /// ```swift
    /// @MainActor final class Model {
    ///     var hits = LoadingState<[String]>.initial
    ///     func search(_ text: String, with client: Client) async {
    ///         await LoadingState.load(\Model.hits, of: self) { try await client.get("search", query: ["q": text]) }
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - property: The property.
    ///   - model: Whose property it is; it is kept until the load has ended.
    ///   - operation: Gives the value; mostly `send`.
    @MainActor
    public static func load<Model: AnyObject>(
        _ property: ReferenceWritableKeyPath<Model, LoadingState<Value>>, of model: Model,
        _ operation: @MainActor () async throws -> Value
    ) async {
        await load(property, of: model) { () async -> Outcome<Value> in
            do {
                return .value(try await operation())
            } catch {
                let failure = error as? Failure ?? Failure(error, inCancelledTask: Task.isCancelled)
                return failure.isCancelled ? .cancelled : .unhandled(failure)
            }
        }
    }

    /// The same with `perform`, whose failures have been shown to the handlers.
    ///
    /// ```swift
    /// @MainActor final class Model {
    ///     var hits = LoadingState<[String]>.initial
    ///     func load(_ client: Client) async {
    ///         await LoadingState.load(\Model.hits, of: self) { await client.perform(.get("hits", as: [String].self)) }
    ///     }
    /// }
    /// ```
    @MainActor
    public static func load<Model: AnyObject>(
        _ property: ReferenceWritableKeyPath<Model, LoadingState<Value>>, of model: Model,
        _ operation: @MainActor () async -> Outcome<Value>
    ) async {
        let place = LoadingPlace(model: ObjectIdentifier(model), property: property)
        let before = model[keyPath: property]
        let number = LoadingPlace.begin(place, isLoading: before.isLoading, failure: before.failure)
        model[keyPath: property] = before.loadingAgain
        let outcome = await operation()
        let isCancelled = if case .cancelled = outcome { true } else { false }
        let apply: @MainActor () -> Void = { model[keyPath: property].settle { $0.ended(with: outcome) } }
        switch LoadingPlace.end(place, number, isCancelled ? nil : apply) {
        case .nothing: break
        case .result(let apply): apply()
        case .asBefore(let failure): model[keyPath: property].settle { $0.ended(after: failure) }
        }
    }

    /// Leaves the state of loading. What the app has set in the meantime stays: a load that nobody waits for any more, as
    /// after signing out, brings nothing.
    private mutating func settle(_ change: (LoadingState) -> LoadingState) {
        if isLoading {
            self = change(self)
        }
    }

    /// As before a load that was cancelled, with the value as it is now.
    ///
    /// - Parameter failure: Why it could not be loaded before; nil when nothing was asked for, or it could.
    private func ended(after failure: Failure?) -> LoadingState {
        failure.map { .failed($0, previous: value) } ?? ended(with: .cancelled)
    }
}

/// A property into which something is being loaded.
private struct LoadingPlace: Hashable {
    let model: ObjectIdentifier
    let property: AnyKeyPath

    /// The loads into one property, from the first on until none is under way.
    private struct Loads {
        /// The numbers of those that are under way.
        var running: Set<UInt64>
        /// Why the property could not be loaded before the first; nil when nothing was asked for, or it could.
        let failure: Failure?
        /// The latest that has ended with something, and what that does to the property.
        var ended: (number: UInt64, apply: @MainActor () -> Void)?
    }

    /// What becomes of the property when a load has ended.
    enum End {
        /// A later load decides.
        case nothing
        /// The result counts, of this load or of one before it.
        case result(@MainActor () -> Void)
        /// All loads were cancelled.
        case asBefore(Failure?)
    }

    /// The loads into each property, while one is under way; isolated to the main actor. A load keeps its model, so no
    /// other object can have its place.
    @MainActor private static var all: [LoadingPlace: Loads] = [:]
    @MainActor private static var last: UInt64 = 0

    /// Begins a load; it is the latest now.
    ///
    /// - Parameters:
    ///   - isLoading: Whether the property is being loaded. Where it is not, whatever is still under way counts no more.
    ///   - failure: Why it could not be loaded before.
    @MainActor static func begin(_ place: LoadingPlace, isLoading: Bool, failure: Failure?) -> UInt64 {
        last += 1
        if isLoading, all[place] != nil {
            all[place]?.running.insert(last)
        } else {
            all[place] = Loads(running: [last], failure: failure)
        }
        return last
    }

    /// Ends a load.
    ///
    /// The latest load counts that was not cancelled, once none after it is under way.
    ///
    /// - Parameter apply: What its result does to the property; nil when it was cancelled.
    @MainActor static func end(_ place: LoadingPlace, _ number: UInt64, _ apply: (@MainActor () -> Void)?) -> End {
        guard var loads = all[place], loads.running.remove(number) != nil else {
            return .nothing
        }
        if let apply, number > loads.ended?.number ?? 0 {
            loads.ended = (number, apply)
        }
        let isDecided = !loads.running.contains { $0 > loads.ended?.number ?? 0 }
        // With the decision the place is free: what is still under way is older.
        all[place] = isDecided ? nil : loads
        guard isDecided else {
            return .nothing
        }
        return loads.ended.map { .result($0.apply) } ?? .asBefore(loads.failure)
    }
}
