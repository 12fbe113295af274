public import BackstopCore
public import Foundation

/// A chain does not have the order that a test requires.
public struct ChainOrderError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    /// What is wrong, in words, with both orders if they were compared.
    public let description: String
    /// The broken rules; empty when the chain was compared with an order.
    public let issues: [OrderIssue]
    /// The roles that the chain has, outermost first.
    public let roles: [Role]

    /// The description, for XCTest.
    public var errorDescription: String? {
        description
    }
}
