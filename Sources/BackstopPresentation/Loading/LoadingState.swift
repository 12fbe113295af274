public import BackstopCore

/// What a screen knows of something that it loads: nothing yet, that it is coming, the value, or why there is none.
///
/// While something is loaded anew, and after that has failed, the value from before is still there to be shown.
///
/// ```swift
/// nonisolated struct Book: Decodable, Sendable { var title: String }
///
/// @MainActor final class BooksModel {
///     private(set) var books = LoadingState<[Book]>.initial
///
///     func load(_ client: Client) async {
///         await LoadingState.load(\BooksModel.books, of: self) { try await client.get("books") }
///     }
/// }
/// ```
public enum LoadingState<Value> {
    /// Nothing was asked for yet.
    case initial
    /// It is coming; `previous` is the value from before, nil for the first time.
    case loading(previous: Value?)
    /// It is there.
    case loaded(Value)
    /// It could not be loaded; `previous` is the value from before, nil when there never was one.
    case failed(Failure, previous: Value?)
}

extension LoadingState: Sendable where Value: Sendable {}

extension LoadingState {
    /// The value to show: the one that was loaded, or else the one from before; nil when there is none.
    public var value: Value? {
        switch self {
        case .initial: nil
        case .loading(let previous), .failed(_, let previous): previous
        case .loaded(let value): value
        }
    }

    /// Why it could not be loaded; nil in any other state.
    public var failure: Failure? {
        if case .failed(let failure, _) = self {
            return failure
        }
        return nil
    }

    /// Whether it is being loaded.
    public var isLoading: Bool {
        if case .loading = self {
            return true
        }
        return false
    }

    /// The state in which it is loaded anew, with the value so far.
    public var loadingAgain: LoadingState {
        .loading(previous: value)
    }

    /// The state after a call whose result was kept, as by `client.result(of:)`.
    ///
    /// ```swift
    /// func state(_ client: Client) async -> LoadingState<[String]> {
    ///     LoadingState(await client.result(of: .get("hits", as: [String].self)))
    /// }
    /// ```
    public init(_ result: Result<Value, Failure>) where Value: Sendable {
        self = LoadingState.initial.ended(with: result)
    }

    /// The same state of another value.
    public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> LoadingState<Other> {
        switch self {
        case .initial: .initial
        case .loading(let previous): .loading(previous: try previous.map(transform))
        case .loaded(let value): .loaded(try transform(value))
        case .failed(let failure, let previous): .failed(failure, previous: try previous.map(transform))
        }
    }

    /// The state after a call has ended.
    ///
    /// A failure keeps the value from before. After a cancellation that value counts as loaded, or nothing was asked for.
    public func ended(with outcome: Outcome<Value>) -> LoadingState where Value: Sendable {
        switch outcome {
        case .value(let new): .loaded(new)
        case .handled(let failure, _), .unhandled(let failure): .failed(failure, previous: value)
        case .cancelled: value.map { .loaded($0) } ?? .initial
        }
    }

    /// The same after a call whose result was kept. The failure of a cancelled call counts as a cancellation.
    public func ended(with result: Result<Value, Failure>) -> LoadingState where Value: Sendable {
        switch result {
        case .success(let new): ended(with: .value(new))
        case .failure(let failure): ended(with: failure.isCancelled ? .cancelled : .unhandled(failure))
        }
    }
}

extension LoadingState {
    /// The state of two things together, for a screen that needs both.
    ///
    /// It has failed as soon as one has, is loading while one is, is initial while one is, and is loaded when both are.
    /// The value from before is there when both have one.
    public static func merged<First, Second>(
        _ first: LoadingState<First>, _ second: LoadingState<Second>
    ) -> LoadingState where Value == (First, Second) {
        let both = first.value.flatMap { one in second.value.map { (one, $0) } }
        return together(both, [first.map { _ in }, second.map { _ in }])
    }

    /// The state of three things together, for a screen that needs all.
    public static func merged<First, Second, Third>(
        _ first: LoadingState<First>, _ second: LoadingState<Second>, _ third: LoadingState<Third>
    ) -> LoadingState where Value == (First, Second, Third) {
        let all = first.value.flatMap { one in
            second.value.flatMap { two in third.value.map { (one, two, $0) } }
        }
        return together(all, [first.map { _ in }, second.map { _ in }, third.map { _ in }])
    }

    /// The state of a list of things together; of none it is loaded.
    public static func merged<Element>(_ states: [LoadingState<Element>]) -> LoadingState where Value == [Element] {
        let values = states.compactMap(\.value)
        return together(values.count == states.count ? values : nil, states.map { $0.map { _ in } })
    }

    /// - Parameter value: All values; nil when one is missing.
    private static func together(_ value: Value?, _ states: [LoadingState<Void>]) -> LoadingState {
        if let failure = states.lazy.compactMap(\.failure).first {
            return .failed(failure, previous: value)
        }
        if states.contains(where: \.isLoading) {
            return .loading(previous: value)
        }
        return value.map { .loaded($0) } ?? .initial
    }
}

extension LoadingState: Equatable where Value: Equatable {
    /// Whether both are in the same state with equal values; of failures the codes count.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.initial, .initial): true
        case (.loading(let one), .loading(let other)): one == other
        case (.loaded(let one), .loaded(let other)): one == other
        case (.failed(let one, let first), .failed(let other, let second)):
            one.code == other.code && first == second
        default: false
        }
    }
}
