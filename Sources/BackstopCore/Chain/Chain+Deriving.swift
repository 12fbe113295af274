extension Chain {
    /// The same chain with another interceptor in the place of the first one of a role.
    ///
    /// ```swift
    /// func patient(_ chain: HTTP.Chain) throws -> HTTP.Chain {
    ///     try chain.replacing(.retry, with: Retry(attempts: 5))
    /// }
    /// ```
    /// - Parameters:
    ///   - role: The role of the interceptor to replace.
    ///   - interceptor: What stands there from now on, or nil to leave the place empty.
    /// - Throws: ``ChainError`` when no interceptor has that role.
    public func replacing(
        _ role: Role, with interceptor: (any Interceptor<Request, Response>)?
    ) throws(ChainError) -> Chain {
        var all = interceptors
        let index = try position(of: role)
        all.replaceSubrange(index...index, with: interceptor.map { [$0] } ?? [])
        return deriving(all)
    }

    /// The same chain without the interceptors of a role; a chain that has none comes back as it is.
    public func removing(_ role: Role) -> Chain {
        deriving(interceptors.filter { $0.role != role })
    }

    /// The same chain with one more interceptor just outside the first one of a role.
    ///
    /// - Throws: ``ChainError`` when no interceptor has that role.
    public func inserting(
        _ interceptor: any Interceptor<Request, Response>, outside role: Role
    ) throws(ChainError) -> Chain {
        var all = interceptors
        all.insert(interceptor, at: try position(of: role))
        return deriving(all)
    }

    /// The same chain with one more interceptor just inside the last one of a role.
    ///
    /// - Throws: ``ChainError`` when no interceptor has that role.
    public func inserting(
        _ interceptor: any Interceptor<Request, Response>, inside role: Role
    ) throws(ChainError) -> Chain {
        var all = interceptors
        guard let index = all.lastIndex(where: { $0.role == role }) else {
            throw ChainError(missing: role, roles: roles)
        }
        all.insert(interceptor, at: index + 1)
        return deriving(all)
    }

    /// The same chain with one more interceptor outside all others.
    public func prepending(_ interceptor: any Interceptor<Request, Response>) -> Chain {
        deriving([interceptor] + interceptors)
    }

    /// The same chain with one more interceptor inside all others, next to the transport.
    public func appending(_ interceptor: any Interceptor<Request, Response>) -> Chain {
        deriving(interceptors + [interceptor])
    }

    /// The same interceptors before another transport, as tests need it.
    public func replacing(transport: any Transport<Request, Response>) -> Chain {
        Chain(transport: transport, interceptors: interceptors, orderRules: orderRules)
    }

    private func deriving(_ all: [any Interceptor<Request, Response>]) -> Chain {
        Chain(transport: transport, interceptors: all, orderRules: orderRules)
    }

    private func position(of role: Role) throws(ChainError) -> Int {
        guard let index = interceptors.firstIndex(where: { $0.role == role }) else {
            throw ChainError(missing: role, roles: roles)
        }
        return index
    }
}

/// A chain could not be derived, because the interceptor that was named is not in it.
public struct ChainError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The role that no interceptor has.
    public let missing: Role
    /// The roles that the chain has, outermost first.
    public let roles: [Role]

    /// What was looked for and what there is.
    public var description: String {
        let present =
            roles.isEmpty ? "The chain has no interceptors" : "It has: " + roles.map(\.name).joined(separator: ", ")
        return
            "No interceptor of the chain has the role \(missing). \(present). Use one of these roles, or add the interceptor first."
    }
}
