/// A key for a value that travels with a call, like a key of SwiftUI's environment.
///
/// ```swift
/// enum TenantKey: CallKey { static let defaultValue: String? = nil }
/// extension CallValues {
///     nonisolated var tenant: String? {
///         get { self[TenantKey.self] }
///         set { self[TenantKey.self] = newValue }
///     }
/// }
/// ```
public protocol CallKey: SendableMetatype {
    /// The type of the value.
    associatedtype Value: Sendable
    /// The value for a call that has not set it.
    static var defaultValue: Value { get }
}

/// The typed values that travel with a call and remain readable in its ``Failure``.
public struct CallValues: Sendable {
    private var storage: [ObjectIdentifier: any Sendable] = [:]
    /// The keys set since tracking began; nil while changes are not tracked.
    private var changes: [ObjectIdentifier]?

    /// Makes empty values.
    public init() {}

    /// The number of keys that were set.
    var count: Int { storage.count }

    /// The value for a key, or its default.
    public subscript<Key: CallKey>(key: Key.Type) -> Key.Value {
        get {
            // Two steps, to distinguish an optional value set to nil from one never set.
            guard !storage.isEmpty, let stored = storage[ObjectIdentifier(key)] else {
                return Key.defaultValue
            }
            return Self.value(stored, of: key)
        }
        set {
            storage[ObjectIdentifier(key)] = newValue
            changes?.append(ObjectIdentifier(key))
        }
    }

    /// A value has a key with a type.
    @available(
        *, unavailable,
        message:
            "declare a key: enum TenantKey: CallKey { static let defaultValue: String? = nil }, for values[TenantKey.self]"
    )
    public subscript(name: String) -> String? {
        get { nil }
        set {}
    }

    /// Apart from the subscript, because what a cast needs is looked up at run time, even where nothing was set.
    @inline(never)
    private static func value<Key: CallKey>(_ stored: any Sendable, of key: Key.Type) -> Key.Value {
        stored as? Key.Value ?? Key.defaultValue
    }

    /// Starts tracking which keys are set.
    mutating func trackChanges() {
        changes = []
    }

    /// Applies a changed copy.
    ///
    /// - Parameter isOvertaken: Whether these values have changed since the copy was made: then only the keys set in
    ///   the copy are applied, unless the copy was replaced as a whole.
    mutating func take(_ copy: CallValues, over isOvertaken: Bool) {
        guard isOvertaken, let changed = copy.changes else {
            storage = copy.storage
            return
        }
        for key in changed {
            storage[key] = copy.storage[key]
        }
    }
}

extension CallValues: DescribedInDumps {
    /// The number of values; the values themselves are not shown.
    public var description: String {
        count == 1 ? "1 value" : "\(count) values"
    }
}
