/// A name for machines of what failed: the codes of transport errors, request errors and rejections, and the kinds of
/// timeouts and decoding failures.
///
/// Everything about a code is in one row, where it is declared. Codes with the same name are equal. The sets are open,
/// so a `switch` over a code needs a `default`:
///
/// ```swift
/// func icon(_ error: TransportError) -> String {
///     switch error.code {
///     case .offline, .dns: "wifi.slash"
///     case .certificate: "lock.slash"
///     default: "exclamationmark.triangle"
///     }
/// }
/// ```
public protocol FailureCode: Sendable, Hashable, CustomStringConvertible {
    /// The name: `dns` of `transport.dns`. It does not change between versions.
    var name: String { get }
    /// What happened, as a sentence for developers.
    var explanation: String { get }
    /// The built-in codes, in the order of `Docs/Failures.md`.
    static var builtIn: [Self] { get }
}

extension FailureCode {
    /// Whether both have the same name.
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }

    /// The name.
    public var description: String {
        name
    }
}
