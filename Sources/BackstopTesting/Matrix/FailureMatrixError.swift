public import Foundation

/// Kinds of failure that nobody deals with.
public struct FailureMatrixError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The names of the samples, such as `status.404` and `decoding (missingKey)`.
    public let unhandled: [String]
    /// The whole table.
    public let table: String

    /// The names, what to do, and the table.
    public var description: String {
        """
        Nobody handles: \(unhandled.joined(separator: ", ")). \
        Add a handler, an Otherwise at the end, or name them in requireAllHandled(except:).
        \(table)
        """
    }

    /// The description, for XCTest.
    public var errorDescription: String? {
        description
    }
}
