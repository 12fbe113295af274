/// A connection that carries the operations of many calls as messages, so that no header field goes with any of them.
package enum SharedConnection: Sendable, Equatable {
    /// It carries the call's.
    case used
    /// It was lost with all of them; its number is that of no other connection of the process.
    case lost(UInt64)
}

extension Failure {
    /// The number of the connection that was lost with this call and others; nil for none.
    package var lostConnection: UInt64? { end.connection?.lostNumber }
}

extension SharedConnection {
    /// The number of the connection that was lost; nil for none.
    package var lostNumber: UInt64? {
        if case .lost(let number) = self { number } else { nil }
    }
}
