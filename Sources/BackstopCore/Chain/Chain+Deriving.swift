extension Chain {
    /// Replaces the first interceptor of a role.
    ///
    /// ```swift
    /// func patient(_ chain: HTTP.Chain) throws -> HTTP.Chain {
    ///     try chain.replacing(.retry, with: Retry(attempts: 5))
    /// }
    /// ```
    /// - Parameters:
    ///   - role: The role of the interceptor to replace.
    ///   - interceptor: The replacement; nil removes the interceptor.
    /// - Throws: ``ChainError`` when no interceptor has that role.
    public func replacing(
        _ role: Role, with interceptor: (any Interceptor<Request, Response>)?
    ) throws(ChainError) -> Chain {
        let index = try position(of: role)
        return replacing(index..<(index + 1), with: interceptor.map { [$0] } ?? [])
    }

    /// Removes all interceptors of a role; a chain without any is returned unchanged.
    public func removing(_ role: Role) -> Chain {
        replacing(interceptors.indices, with: interceptors.filter { $0.role != role })
    }

    /// Inserts an interceptor just outside the first one of a role.
    ///
    /// - Throws: ``ChainError`` when no interceptor has that role.
    public func inserting(
        _ interceptor: any Interceptor<Request, Response>, outside role: Role
    ) throws(ChainError) -> Chain {
        try inserting([interceptor], outside: role)
    }

    /// Inserts several interceptors, outermost first, just outside the first one of a role.
    ///
    /// - Throws: ``ChainError`` when no interceptor has that role.
    public func inserting(
        _ interceptors: [any Interceptor<Request, Response>], outside role: Role
    ) throws(ChainError) -> Chain {
        let index = try position(of: role)
        return replacing(index..<index, with: interceptors)
    }

    /// Inserts an interceptor just inside the last one of a role.
    ///
    /// - Throws: ``ChainError`` when no interceptor has that role.
    public func inserting(
        _ interceptor: any Interceptor<Request, Response>, inside role: Role
    ) throws(ChainError) -> Chain {
        try inserting([interceptor], inside: role)
    }

    /// Inserts several interceptors, outermost first, just inside the last one of a role.
    ///
    /// ```swift
    /// func limited(_ chain: HTTP.Chain) throws -> HTTP.Chain {
    ///     try chain.inserting([AttemptTimeout(.seconds(10)), RequestLogging()], inside: .retry)
    /// }
    /// ```
    /// - Throws: ``ChainError`` when no interceptor has that role.
    public func inserting(
        _ interceptors: [any Interceptor<Request, Response>], inside role: Role
    ) throws(ChainError) -> Chain {
        let index = try position(of: role, isLast: true) + 1
        return replacing(index..<index, with: interceptors)
    }

    /// Adds an interceptor outside all others.
    public func prepending(_ interceptor: any Interceptor<Request, Response>) -> Chain {
        replacing(0..<0, with: [interceptor])
    }

    /// Adds an interceptor inside all others, next to the transport.
    public func appending(_ interceptor: any Interceptor<Request, Response>) -> Chain {
        replacing(interceptors.count..<interceptors.count, with: [interceptor])
    }

    /// Replaces the transport, for tests.
    public func replacing(transport: any Transport<Request, Response>) -> Chain {
        Chain(interceptors, transport: transport, orderRules: orderRules, invalid: invalid)
    }

    /// Replaces what is at the places. Of the rest, the settings are read again only where something goes.
    private func replacing(_ places: Range<Int>, with new: [any Interceptor<Request, Response>]) -> Chain {
        var all = interceptors
        all.replaceSubrange(places, with: new)
        let problems = places.isEmpty ? (invalid?.all ?? []) + new.invalid() : all.invalid()
        return Chain(all, transport: transport, orderRules: orderRules, invalid: ConfigurationError(problems))
    }

    private func position(of role: Role, isLast: Bool = false) throws(ChainError) -> Int {
        guard let index = isLast ? roles.lastIndex(of: role) : roles.firstIndex(of: role) else {
            throw ChainError(missing: role, roles: roles)
        }
        return index
    }
}

/// A chain has no interceptor of the role that was named.
public struct ChainError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The role that no interceptor has.
    public let missing: Role
    /// The roles that the chain has, outermost first.
    public let roles: [Role]

    /// The missing role and the roles that the chain has.
    public var description: String {
        let present =
            roles.isEmpty ? "The chain has no interceptors" : "It has: " + roles.map(\.name).joined(separator: ", ")
        return
            "No interceptor in the chain has the role \(missing). \(present). Use one of these roles, or add the "
            + "interceptor first."
    }
}

/// An interceptor that keeps a state from one call to the next, or asks what is outside of the process.
package protocol StatefulInterceptor {
    /// The same interceptor, at its beginning, asking nobody: the device is online, and each refresh gives a new token.
    func withNewState() -> Self
}

extension Chain {
    /// The same chain with interceptors that have seen no call yet.
    package func withNewState() -> Chain {
        Chain(
            interceptors.map { interceptor in
                let new = (interceptor as? any StatefulInterceptor)?.withNewState()
                return new as? any Interceptor<Request, Response> ?? interceptor
            }, transport: transport, orderRules: orderRules, invalid: invalid)
    }
}
