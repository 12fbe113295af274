internal import Backstop

/// The state of a circuit.
public enum CircuitState: Sendable, Hashable, CustomStringConvertible {
    /// Calls go through and are counted.
    case closed
    /// Calls are rejected until a moment, on the scale of the calls' clock (`CallClock.now`). The first call after it
    /// is a probe.
    case open(until: Duration)
    /// Probes decide whether the circuit closes; other calls are rejected.
    case halfOpen
    /// Calls are rejected until ``CircuitBreaker/reset(_:)``.
    case isolated
    /// Calls go through and are not counted until ``CircuitBreaker/reset(_:)``.
    case disabled

    /// `closed`, `open`, `half-open`, `isolated` or `disabled`.
    public var description: String {
        switch self {
        case .closed: "closed"
        case .open: "open"
        case .halfOpen: "half-open"
        case .isolated: "isolated"
        case .disabled: "disabled"
        }
    }

    /// Whether a person has set it.
    var isByHand: Bool { self == .isolated || self == .disabled }

    /// The one that lets fewer calls through; of two that are open, the one that is so for longer.
    func worse(_ other: CircuitState) -> CircuitState {
        switch (self, other) {
        case (.isolated, _), (_, .closed), (_, .disabled), (.open, .halfOpen): self
        case (.open(let end), .open(let otherEnd)): end < otherEnd ? other : self
        default: other
        }
    }
}

/// A change of a circuit's state.
public struct CircuitTransition: Sendable, Hashable, CustomStringConvertible {
    /// Why a circuit changed its state.
    public enum Cause: Sendable, Hashable {
        /// Too many attempts of the window failed.
        case failures(Int, of: Int)
        /// Too many attempts of the window were slow.
        case slowCalls(Int, of: Int)
        /// The break is over.
        case breakOver
        /// A probe failed, or was slow.
        case probeFailed
        /// All probes succeeded.
        case probesSucceeded(Int)
        /// ``CircuitBreaker/isolate(_:)`` was called.
        case isolated
        /// ``CircuitBreaker/disable(_:)`` was called.
        case disabled
        /// ``CircuitBreaker/reset(_:)`` was called.
        case reset
    }

    /// The key of the circuit; empty when all calls share one.
    public internal(set) var key: String
    /// The state before.
    public let from: CircuitState
    /// The state after.
    public let to: CircuitState
    /// Why.
    public let cause: Cause
    /// The number of the state: it grows with each change of the circuit.
    public let generation: UInt64
    /// How long calls are rejected; nil unless the circuit opened.
    public let breakDuration: Duration?

    /// The change in words, without the key: `opened for 5 s: 12 of 20 attempts failed`.
    public var description: String {
        let change =
            switch to {
            case .open: "opened" + (breakDuration.map { " for \($0.text)" } ?? "")
            case .closed, .halfOpen, .isolated, .disabled: to.description
            }
        return "\(change): \(cause.text)"
    }
}

extension CircuitTransition.Cause {
    /// The cause in words.
    var text: String {
        switch self {
        case .failures(let count, let all): "\(count) of \(all) attempts failed"
        case .slowCalls(let count, let all): "\(count) of \(all) attempts were slow"
        case .breakOver: "the break is over"
        case .probeFailed: "a probe failed"
        case .probesSucceeded(let count): count == 1 ? "the probe succeeded" : "\(count) probes succeeded"
        case .isolated, .disabled: "by hand"
        case .reset: "reset by hand"
        }
    }
}
