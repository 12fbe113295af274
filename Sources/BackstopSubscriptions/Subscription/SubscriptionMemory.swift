internal import Backstop
internal import BackstopCore
internal import BackstopGraphQL
internal import BackstopStreams
internal import Foundation

/// What is remembered of a subscription from one call to the next.
final class SubscriptionMemory<Operation: GraphQL.Operation>: StreamSeries {
    typealias Element = GraphQL.Result<Operation.Data>

    /// How many results are known again.
    private static var longestMemory: Int { 10_000 }
    /// A call that lasted so long is no reason to give up, even if nothing has happened.
    private static var calmTime: Duration { .seconds(10) }
    /// The longest wait after calls that have brought something and were lost soon.
    private static var longestWait: Duration { .seconds(30) }

    private struct State {
        /// Whether the call that runs has brought a new result.
        var hasResult = false
        /// How many calls in a row have brought something and were lost soon: perhaps what a service says to each.
        var soonLost = 0
        /// Why the last call ended; nil before the first has, and once that was told.
        var lost: Failure?
        /// What the last results were, and the oldest of them that is known, in a ring.
        var known: Set<String> = []
        var order: [String] = []
        var oldest = 0
    }

    private let delivery: GraphQL.Delivery
    private let endpoint: OperationEndpoint<Operation>
    private let identity: (@Sendable (Operation.Data) -> String?)?
    private let resubscribed: (@Sendable (Failure) -> Void)?
    /// The state, guarded by the lock; what the app has given runs outside of it.
    private let state = Lock(State())

    init(
        _ delivery: GraphQL.Delivery, _ endpoint: OperationEndpoint<Operation>,
        sameAs identity: (@Sendable (Operation.Data) -> String?)?, resubscribed: (@Sendable (Failure) -> Void)?
    ) {
        self.delivery = delivery
        self.endpoint = endpoint
        self.identity = identity
        self.resubscribed = resubscribed
    }

    @Sendable func parser(_ head: HTTP.Response) throws -> any StreamParser<Element> {
        // Once for each loss: the first response to a call may be an answer in the place of results.
        let lost = state.withLock { state in
            defer { state.lost = nil }
            return state.lost
        }
        if let lost {
            resubscribed?(lost)
        }
        return SubscriptionParser(
            frames: FrameReader(
                try delivery.parser(head, isSubscription: true), of: head, isMutation: endpoint.isMutation),
            endpoint: endpoint, head: head, memory: self)
    }

    /// What is kept of a name: the server chooses how long it is, so of a long one its digest, which has 64 bytes and is
    /// no name that is kept as it is.
    static func kept(_ name: String) -> String {
        name.utf8.count < 64 ? name : GraphQL.Hasher.sha256.hash(name) ?? name
    }

    /// Notes a result, and tells whether it is a new one.
    func note(_ data: Operation.Data) -> Bool {
        let name = identity?(data).map(Self.kept)
        return state.withLock { state in
            // What is known already is no progress: a server may repeat it with each connection.
            guard name.map({ state.known.insert($0).inserted }) ?? true else {
                return false
            }
            state.hasResult = true
            guard let name else {
                return true
            }
            if state.order.count < Self.longestMemory {
                state.order.append(name)
            } else {
                state.known.remove(state.order[state.oldest])
                state.order[state.oldest] = name
                state.oldest = (state.oldest + 1) % Self.longestMemory
            }
            return true
        }
    }

    func prepare(_ request: inout HTTP.Request) {
        state.withLock { $0.hasResult = false }
    }

    func follow(_ head: HTTP.Response, lasting: Duration) -> SeriesStep {
        // Its parser has seen that it is complete.
        .over
    }

    func follow(_ failure: Failure, lasting: Duration) -> SeriesStep {
        let isCalm = lasting >= Self.calmTime
        let (hasResult, soonLost) = state.withLock { state in
            state.lost = failure
            // Where results have names, only a new one counts.
            state.soonLost = isCalm || identity != nil || !state.hasResult ? 0 : min(state.soonLost + 1, 8)
            return (state.hasResult, state.soonLost)
        }
        let hasBegun = failure.transfer != nil
        // The server's word is the end of what has begun, whatever its code says. Otherwise, the policy knows what may
        // pass.
        guard !hasBegun || !(failure.underlying is GraphQLFailure) else {
            return .failed(stopped: .notRetryable)
        }
        let least = soonLost < 3 ? .zero : min(.milliseconds(125 << soonLost), Self.longestWait)
        return .again(least: least, isProgress: hasResult || hasBegun && isCalm)
    }
}

/// Reads the results of one call.
struct SubscriptionParser<Operation: GraphQL.Operation>: StreamParser {
    typealias Element = GraphQL.Result<Operation.Data>

    var frames: FrameReader
    let endpoint: OperationEndpoint<Operation>
    let head: HTTP.Response
    let memory: SubscriptionMemory<Operation>

    var isComplete: Bool { frames.isComplete }

    mutating func parse(_ chunk: Data, _ put: (Element) -> Void) throws {
        try read(chunk, put)
    }

    mutating func end(_ put: (Element) -> Void) throws {
        try read(nil, put)
    }

    private mutating func read(_ chunk: Data?, _ put: (Element) -> Void) throws {
        let (frames, problem) = try frames.read(chunk)
        for frame in frames {
            try take(frame, put)
        }
        if let problem {
            throw problem
        }
    }

    private func take(_ frame: ResultFrame, _ put: (Element) -> Void) throws {
        switch frame {
        case .complete:
            break
        case .refusal(let body):
            throw GraphQLFailure.refusal(head.with(body: body))
        case .response(let body, let beside):
            // Data that may be missing is an element even then.
            let none = (Operation.Data.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ())
            let result = try endpoint.content(
                from: head.with(body: body), beside: beside, none: none as? Operation.Data)
            if memory.note(result.data) {
                put(result)
            }
        }
    }
}
