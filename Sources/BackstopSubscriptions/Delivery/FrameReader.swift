internal import Backstop
internal import BackstopCore
internal import BackstopGraphQL
internal import BackstopStreams
internal import Foundation

/// Finds the frames of a response, and sees with the first whether it is a stream of results at all.
struct FrameReader {
    private var frames: any StreamParser<ResultFrame>
    private let head: HTTP.Response
    /// Whether a frame has come, or the response is a plain one.
    private var hasBegun: Bool
    /// Whether one has come that says something.
    private var hasResult = false
    /// Whether an answer has to be all that comes, up to the end: a mutation is sent again after it. And one without a
    /// result is no success.
    private let isMutation: Bool
    /// The first frame, as long as more may follow it, and the answer that it then is not.
    private var held: (frame: ResultFrame, answer: WholeAnswer)?

    init(_ frames: any StreamParser<ResultFrame>, of head: HTTP.Response, isMutation: Bool) {
        (self.frames, self.head) = (frames, head)
        hasBegun = frames is WholeFrame
        self.isMutation = isMutation
    }

    var isComplete: Bool { frames.isComplete }

    /// Finds the frames in some bytes.
    ///
    /// - Parameter chunk: The bytes; nil for the end.
    /// - Returns: The frames, and what is wrong behind them.
    /// - Throws: `WholeAnswer` if the first frame is an answer in the place of results: errors from before execution, so
    ///   whoever renews tokens or persists queries may still send the operation again.
    mutating func read(_ chunk: Data?) throws -> (frames: [ResultFrame], problem: (any Error)?) {
        var read: [ResultFrame] = []
        var problem: (any Error)?
        do {
            if let chunk {
                try frames.parse(chunk) { read.append($0) }
            } else {
                try frames.end { read.append($0) }
            }
        } catch {
            problem = error
        }
        hasResult = hasResult || read.contains { $0.body != nil }
        let isOver = isComplete || read.contains { if case .complete = $0 { true } else { false } }
        if isMutation, isOver, !hasResult {
            problem =
                problem
                ?? TransportError(.truncated, phase: .receiving, detail: "The response ended without a result")
        }
        if !hasBegun, let first = read.first {
            hasBegun = true
            held = answer(in: first).map { (read.removeFirst(), $0) }
        }
        guard let (frame, answer) = held else {
            return (read, problem)
        }
        let isAll = isOver && problem == nil && read.allSatisfy { $0.body == nil }
        guard !isMutation || isAll else {
            if chunk != nil, problem == nil, read.isEmpty {
                return ([], nil)
            }
            held = nil
            return ([frame] + read, problem)
        }
        throw answer
    }

    /// The answer that a frame is in the place of results; nil for none.
    private func answer(in first: ResultFrame) -> WholeAnswer? {
        // Errors beside it say that something was executed.
        if case .response(_, let beside) = first, !beside.isEmpty {
            return nil
        }
        guard let answer = first.body.map(head.with(body:)), ResponseRule.isRequestError(answer) else {
            return nil
        }
        return WholeAnswer(answer, saying: GraphQLFailure.refusal(answer))
    }
}

extension GraphQLFailure {
    /// The errors that a server ends a stream with.
    static func refusal(_ response: HTTP.Response) -> GraphQLFailure {
        let errors = ResponseRule.errors(in: response)
        return .errors(
            errors.isEmpty ? [GraphQL.Error("The server ended the subscription without saying why.")] : errors)
    }
}

extension HTTP.Response {
    /// The same head with another body.
    func with(body: Data) -> HTTP.Response {
        changed(self) { $0.body = body }
    }
}
