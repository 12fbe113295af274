package import Backstop
package import BackstopCore
package import Foundation

/// What takes a body: what makes the elements of a stream, or writes a file.
package protocol BodySink: AnyObject, Sendable {
    /// Begins, with an accepted head; again with each call of a series.
    nonisolated(nonsending) func begin(_ head: HTTP.Response) async throws

    /// Takes a part of the body, and returns when there is room for more.
    nonisolated(nonsending) func put(_ chunk: Data) async throws

    /// Whether nothing more is wanted: the rest of the body is not read.
    var isComplete: Bool { get }

    /// Takes the end of the body, or of what is wanted of it.
    ///
    /// - Throws: When something is missing.
    nonisolated(nonsending) func end() async throws

    /// Adds to the report of a call what was made of its body, and what the calls before it brought.
    func complete(_ report: inout TransferReport)

    /// Lets a part that waits for room go, and takes no other.
    func close()

    /// The setting that says how long the network may be silent, as named in advice.
    var silenceSetting: String { get }
}

extension BodySink {
    package var silenceSetting: String { "StreamOptions.silence" }
    package var isComplete: Bool { false }
}
