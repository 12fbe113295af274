public import BackstopCore

extension LoadingState where Value: Sendable {
    /// Loads into a property of a model: `loading`, and then `loaded` or `failed`.
    ///
    /// Of several loads into one property the latest counts, whatever order they end in. When the task is cancelled the
    /// property is as it was before.
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
        await run(property, of: model) {
            do {
                return .value(try await operation())
            } catch {
                let failure = error as? Failure ?? Failure(error)
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
        await run(property, of: model, operation)
    }

    @MainActor
    private static func run<Model: AnyObject>(
        _ property: ReferenceWritableKeyPath<Model, LoadingState<Value>>, of model: Model,
        _ operation: @MainActor () async -> Outcome<Value>
    ) async {
        let place = LoadingPlace(model: ObjectIdentifier(model), property: property)
        let number = LoadingPlace.begin(place)
        let before = model[keyPath: property]
        model[keyPath: property] = before.loadingAgain
        let outcome = await operation()
        guard LoadingPlace.end(place, number) else {
            return
        }
        if case .cancelled = outcome, !before.isLoading {
            model[keyPath: property] = before
        } else {
            model[keyPath: property] = model[keyPath: property].ended(with: outcome)
        }
    }
}

/// A property into which something is being loaded.
private struct LoadingPlace: Hashable {
    let model: ObjectIdentifier
    let property: AnyKeyPath

    /// The number of the latest load into each property, while one is under way; isolated to the main actor. A load keeps
    /// its model, so no other object can have its place.
    @MainActor private static var latest: [LoadingPlace: UInt64] = [:]
    @MainActor private static var last: UInt64 = 0

    /// Begins a load; it is the latest now.
    @MainActor static func begin(_ place: LoadingPlace) -> UInt64 {
        last += 1
        latest[place] = last
        return last
    }

    /// Ends a load.
    ///
    /// - Returns: Whether it is the latest.
    @MainActor static func end(_ place: LoadingPlace, _ number: UInt64) -> Bool {
        guard latest[place] == number else {
            return false
        }
        latest[place] = nil
        return true
    }
}
