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
    /// The value of a call that never set it.
    static var defaultValue: Value { get }
}

/// The typed values that travel with a call, and stay readable in its ``Failure``.
public struct CallValues: Sendable {
    private var storage: [ObjectIdentifier: any Sendable] = [:]
    /// The keys that were set since changes are tracked; nil while they are not.
    private var changes: Set<ObjectIdentifier>?

    /// Makes empty values.
    public init() {}

    /// The number of keys that were set.
    var count: Int { storage.count }

    /// The value for a key, or its default.
    public subscript<Key: CallKey>(key: Key.Type) -> Key.Value {
        get {
            // Two steps, so that an optional value which was set to nil is told from one that was never set.
            guard let stored = storage[ObjectIdentifier(key)] else {
                return Key.defaultValue
            }
            return stored as? Key.Value ?? Key.defaultValue
        }
        set {
            storage[ObjectIdentifier(key)] = newValue
            changes?.insert(ObjectIdentifier(key))
        }
    }

    /// Begins to remember which keys are set.
    mutating func trackChanges() {
        changes = []
    }

    /// Takes over a changed copy.
    ///
    /// - Parameter isOvertaken: Whether these values were changed since the copy was made: then only what was set in
    ///   the copy is taken, unless it was replaced as a whole.
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

extension CallValues: CustomStringConvertible, CustomReflectable {
    /// The number of values; the values themselves are not shown.
    public var description: String {
        count == 1 ? "1 value" : "\(count) values"
    }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["count": count], displayStyle: .struct)
    }
}
