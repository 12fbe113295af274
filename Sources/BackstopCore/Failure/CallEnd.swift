/// What was going on when a call failed, for the words of its failure.
struct CallEnd: Sendable {
    /// Whether no attempt was under way: the call ended in a wait between attempts.
    var isInWait = false
    /// The number of the attempt that decided; nil for a failure created by hand.
    var attempt: Int?
    /// The number of the attempt parallel to it that sent something, when it sent nothing itself; nil otherwise.
    var sender: Int?
    /// Whether the call itself only reads: a call within it, such as one that gets a token, is no order.
    var onlyReads = false
    /// What attempts before the deciding one, or beside it, and calls that a handler repeated may have done.
    var doubt = Doubt.nothing
    /// Whether a repetition is the same call, whose requests keep their key.
    var keepsKey = false
    /// Whether the operation of a run made the exchange, so that nobody saw it.
    var isUnseen = false
    /// What the call was held up by when a time limit ended it; nil when nothing held it up.
    var hold: Hold?
    /// The connection that it shared with other calls; nil for none.
    var connection: SharedConnection?
    /// The error under the one thrown that says what it means; nil for that itself.
    var meant: (any Error)?
    /// Further lines for the report: what became of each fallback that did not answer, and of a token.
    var remarks: [(label: String, text: String)] = []
}

/// Something that a call waits for before or instead of an exchange: a place, a new token, a fallback.
package struct Hold: Sendable {
    /// What it does, as in "while waiting for a place in Bulkhead".
    let activity: String
    /// More about it; empty for nothing.
    let detail: String
    /// What a developer can do about it, without a full stop: "Allow more calls at once in Bulkhead".
    let advice: String

    /// Says what a call waits for.
    package init(_ activity: String, detail: String = "", advice: String) {
        self.activity = activity
        self.detail = detail
        self.advice = advice
    }

    /// The line of a report.
    var place: String {
        "while \(activity)\(detail.isEmpty ? "" : ": \(detail)")"
    }

    /// The next step after a time limit.
    func nextStep(_ limit: String) -> String {
        "\(advice), or raise \(limit): the call was still \(activity)."
    }
}
