internal import Backstop
internal import BackstopCore
internal import Foundation

/// Makes elements of a body within the call, and hands them over to whoever reads them.
final class StreamReader<Element: Sendable>: BodySink, DescribedInDumps {
    /// What an element counts in the window beside its bytes, so that a million empty lines count.
    private static var elementWeight: Int { max(16, MemoryLayout<Element>.stride) }

    let opened = OneShot<HTTP.Response, Void>()
    let handoff: Handoff<Element>
    private let makeParser: @Sendable (HTTP.Response) throws -> any StreamParser<Element>
    /// Used by one part of the body at a time, which the intake sees to.
    private nonisolated(unsafe) var parser: (any StreamParser<Element>)?
    /// What a part has made, as long as it is parsed; used as the parser is, once for each element.
    @exclusivity(unchecked) private nonisolated(unsafe) var made: [Element] = []

    init(
        window: Int, _ makeParser: @escaping @Sendable (HTTP.Response) throws -> any StreamParser<Element>
    ) {
        self.makeParser = makeParser
        handoff = Handoff(window: window)
    }

    func complete(_ report: inout TransferReport) {
        report.elements = handoff.count
    }

    nonisolated(nonsending) func begin(_ head: HTTP.Response) async throws {
        parser = try makeParser(head)
        handoff.goOn()
        opened.end(with: .success(head.withBodyToCome()))
    }

    nonisolated(nonsending) func put(_ chunk: Data) async throws {
        try await hand(over: chunk.count) { try parser?.parse(chunk, $0) }
    }

    var isComplete: Bool { parser?.isComplete ?? false }

    nonisolated(nonsending) func end() async throws {
        try await hand(over: 0) { try parser?.end($0) }
    }

    func close() {
        handoff.stopWaiting()
    }

    /// Hands over what a part has made; before an error in the middle of it, what was made until then.
    private nonisolated(nonsending) func hand(
        over bytes: Int, _ parse: (_ put: (Element) -> Void) throws -> Void
    ) async throws {
        let parsed = Result { try parse { self.made.append($0) } }
        let made = made
        self.made = []
        try await handoff.put(made, weight: bytes + made.count * Self.elementWeight)
        try parsed.get()
    }

    /// Without an element, nor what its parser keeps.
    var description: String { "what makes a stream of \(Element.self)" }

    /// Ends with what became of the call.
    func finish(_ result: Result<Void, Failure>) {
        if case .failure(let failure) = result {
            opened.end(with: .failure(failure))
        }
        handoff.finish(result)
    }
}
