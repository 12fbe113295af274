public import Foundation

/// Failures that are not handled, or codes that do not exist.
public struct FailureMatrixError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// A code in `requireAllHandled(except:)` that no failure has.
    public struct UnknownCode: Sendable, Hashable, CustomStringConvertible {
        /// The code as written.
        public let code: String
        /// The code that was probably meant; nil when none is close.
        public let similar: String?

        /// Both: `transport.offlin (transport.offline?)`.
        public var description: String {
            code + (similar.map { " (\($0)?)" } ?? "")
        }
    }

    /// The names of the samples, such as `status.404` and `decoding (missingKey)`.
    public let unhandled: [String]
    /// The codes that no failure has, so they allow nothing.
    public let unknownCodes: [UnknownCode]
    /// The whole table.
    public let table: String

    /// The names, the fix, and the table.
    public var description: String {
        var lines: [String] = []
        if !unknownCodes.isEmpty {
            lines.append("No failure has the code \(unknownCodes.map(\.description).joined(separator: ", ")).")
        }
        if !unhandled.isEmpty {
            lines.append(
                "Unhandled: \(unhandled.joined(separator: ", ")). Add a handler, an Otherwise at the end, or list "
                    + "them in requireAllHandled(except:).")
        }
        if lines.isEmpty {
            lines.append("There is no failure that a handler could be asked about. Give the matrix samples.")
        }
        return (lines + [table]).joined(separator: "\n")
    }

    /// The description, for XCTest.
    public var errorDescription: String? {
        description
    }
}
