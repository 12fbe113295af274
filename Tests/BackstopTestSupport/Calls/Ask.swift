package import BackstopCore

/// A request of no protocol: what retry and reports need to know of it, and nothing else.
package struct Ask: CallRequest {
    package var text = "hello"
    package var fields: [(name: String, value: String)] = []
    package var isIdempotent = true
    package var isReplayable = true
    package var idempotencyKey: String?

    package init(_ text: String = "hello", fields: [(name: String, value: String)] = []) {
        self.text = text
        self.fields = fields
    }

    package func summary(_ redaction: Redaction) -> String {
        "ask \(redaction.url(text))"
    }

    package func details(_ redaction: Redaction) -> [String] {
        fields.map { "\($0.name): \(redaction.header($0.name, $0.value))" }
    }
}

/// A response of no protocol.
package struct Answer: CallResponse, Equatable {
    package var status: Int?
    package var body: String
    package var wait: Duration?
    /// How long the rate limit is used up.
    package var reset: Duration?
    package var fields: [String: String] = [:]

    package init(_ body: String = "", status: Int? = 200, wait: Duration? = nil, fields: [String: String] = [:]) {
        self.body = body
        self.status = status
        self.wait = wait
        self.fields = fields
    }

    package var statusCode: Int? { status }

    package func retryAfter(now: Duration) -> Duration? {
        wait
    }

    package func rateLimitReset(now: Duration) -> Duration? {
        reset
    }

    package func summary(_ redaction: Redaction) -> String {
        "answer \(status ?? 0), \(body.utf8.count) bytes"
    }

    package func details(_ redaction: Redaction) -> [String] {
        fields.sorted { $0.key < $1.key }.map { "\($0.key): \(redaction.header($0.key, $0.value))" }
            + (body.isEmpty ? [] : [redaction.body(body, contentType: nil)])
    }

    package func bounded(to bytes: Int) -> Answer {
        var copy = self
        copy.body = String(body.prefix(bytes))
        return copy
    }
}

package typealias AskChain = Chain<Ask, Answer>
package typealias AskNext = Next<Ask, Answer>

/// An error of the app's own that no protocol of Backstop knows.
package struct ShopError: Error, Equatable {
    package var article: String

    package init(article: String = "lamp") {
        self.article = article
    }
}

/// An error by which the service says what is wrong.
package struct SoldOut: ServiceError {
    package var article: String
    package var failureMessage: String?
    package var isTransient: Bool?

    package init(article: String = "lamp", failureMessage: String? = nil, isTransient: Bool? = nil) {
        self.article = article
        self.failureMessage = failureMessage
        self.isTransient = isTransient
    }
}

extension Chain {
    /// One call as a value.
    package func result(_ request: Request, options: CallOptions = CallOptions()) async -> Result<Response, Failure> {
        do {
            return .success(try await call(request, options: options))
        } catch {
            return .failure(error)
        }
    }
}

extension Result where Failure == BackstopCore.Failure {
    /// The failure; nil after a success.
    package var failure: BackstopCore.Failure? {
        if case .failure(let failure) = self {
            return failure
        }
        return nil
    }
}

extension CallOptions {
    /// Options with a clock, and with randomness that gives the greatest waits unless a test says otherwise.
    package static func with(_ clock: any CallClock, random: any RandomSource = SeededRandom(seed: 1)) -> CallOptions {
        var options = CallOptions()
        options.clock = clock
        options.random = random
        return options
    }
}
