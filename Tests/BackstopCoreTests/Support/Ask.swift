import BackstopCore

/// A request of no protocol: what retry and reports need to know of it, and nothing else.
struct Ask: CallRequest {
    var text = "hello"
    var fields: [(name: String, value: String)] = []
    var isIdempotent = true
    var isReplayable = true
    var idempotencyKey: String?

    init(_ text: String = "hello", fields: [(name: String, value: String)] = []) {
        self.text = text
        self.fields = fields
    }

    func summary(_ redaction: Redaction) -> String {
        "ask \(redaction.url(text))"
    }

    func details(_ redaction: Redaction) -> [String] {
        fields.map { "\($0.name): \(redaction.header($0.name, $0.value))" }
    }
}

/// A response of no protocol.
struct Answer: CallResponse, Equatable {
    var status: Int?
    var body: String
    var wait: Duration?
    /// How long the rate limit is used up.
    var reset: Duration?
    var fields: [String: String] = [:]

    init(_ body: String = "", status: Int? = 200, wait: Duration? = nil, fields: [String: String] = [:]) {
        self.body = body
        self.status = status
        self.wait = wait
        self.fields = fields
    }

    var statusCode: Int? { status }

    func retryAfter(now: Duration) -> Duration? {
        wait
    }

    func rateLimitReset(now: Duration) -> Duration? {
        reset
    }

    func summary(_ redaction: Redaction) -> String {
        "answer \(status ?? 0), \(body.utf8.count) bytes"
    }

    func details(_ redaction: Redaction) -> [String] {
        fields.sorted { $0.key < $1.key }.map { "\($0.key): \(redaction.header($0.key, $0.value))" }
            + (body.isEmpty ? [] : [redaction.body(body, contentType: nil)])
    }

    func bounded(to bytes: Int) -> Answer {
        var copy = self
        copy.body = String(body.prefix(bytes))
        return copy
    }
}

typealias AskChain = Chain<Ask, Answer>
typealias AskNext = Next<Ask, Answer>

/// An error of the app's own that no protocol of Backstop knows.
struct ShopError: Error, Equatable {
    var article = "lamp"
}

/// An error by which the service says what is wrong.
struct SoldOut: ServiceError {
    var article = "lamp"
    var failureMessage: String?
    var isTransient: Bool?
}

extension Chain {
    /// One call as a value.
    func result(_ request: Request, options: CallOptions = CallOptions()) async -> Result<Response, Failure> {
        do {
            return .success(try await call(request, options: options))
        } catch {
            return .failure(error)
        }
    }
}

extension Result where Failure == BackstopCore.Failure {
    /// The failure; nil after a success.
    var failure: BackstopCore.Failure? {
        if case .failure(let failure) = self {
            return failure
        }
        return nil
    }
}

extension CallOptions {
    /// Options with a clock, and with randomness that gives the greatest waits unless a test says otherwise.
    static func with(_ clock: any CallClock, random: any RandomSource = SeededRandom(seed: 1)) -> CallOptions {
        var options = CallOptions()
        options.clock = clock
        options.random = random
        return options
    }
}
