public import BackstopCore
public import Foundation

/// The requests did not match the script.
///
/// It is thrown to a call without a stub, where it becomes the failure `rejected.script`, and by
/// ``Script/checkFinished()``. Its description lists the missing stubs, the unused ones, and the script.
public struct ScriptError: Error, Sendable, Hashable {
    /// A request without a stub.
    public struct Unanswered: Sendable, Hashable {
        /// The number of the request, from 1.
        public let number: Int
        /// The request in one line, redacted.
        public let request: String
    }

    /// The requests without a stub.
    public let unanswered: [Unanswered]
    /// The stubs that are not used up.
    public let unused: [StubUsage]
    /// All stubs of the script.
    public let script: [StubUsage]
}

extension ScriptError: FailureReasonConvertible {
    /// `.rejected` with the code `script`, which is never retried.
    public var classifiedReason: Failure.Reason {
        .rejected(RejectionError(.script, description))
    }
}

extension RejectionError.Code {
    /// A `ScriptedTransport` has no stub left for the request.
    public static let script = Self(
        "script", explanation: "The ScriptedTransport has no stub left.",
        nextStep: "Give the ScriptedTransport a stub that answers this request.")
}

extension ScriptError: CustomStringConvertible, LocalizedError {
    /// The mismatches, and the script.
    public var description: String {
        var lines = unanswered.map { missing in
            "The script has no stub for request \(missing.number), \(missing.request)."
        }
        if !unanswered.isEmpty {
            lines[lines.count - 1] += " Add a stub for it, or find out why it is sent."
        }
        if !unused.isEmpty {
            let count = unused.count == 1 ? "1 stub of the script was" : "\(unused.count) stubs of the script were"
            lines.append("\(count) not used up: \(unused.map(\.description).joined(separator: "; ")).")
        }
        lines.append(script.isEmpty ? "The script is empty." : "The script:")
        lines += script.map { "  \($0)\($0.isUsed ? "" : "  <- not used up")" }
        return lines.joined(separator: "\n")
    }

    /// The description, for XCTest.
    public var errorDescription: String? {
        description
    }
}
