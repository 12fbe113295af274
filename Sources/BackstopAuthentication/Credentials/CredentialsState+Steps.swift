internal import BackstopCore

// What a call asks with, what it gets, and what runs meanwhile.
extension CredentialsState {
    /// The token of one request, with what tells whether it is still the current one.
    package struct Ticket: Sendable {
        package let access: String
        /// The version of the tokens it was taken from.
        let version: Int
        /// How many refreshes had ended when it was given out.
        let round: Int
        /// The same when the call asked for the first time.
        let firstRound: Int
        /// Whose token it is.
        let generation: Int
    }

    /// Whose call it is.
    struct Binding: Sendable, Hashable {
        let generation: Int
        /// How many refreshes had ended then.
        let round: Int
        /// Whether nobody was signed in: then the call never gets a token.
        var isAnonymous = false
    }

    /// What a call asks with.
    struct Question {
        /// The refused token; nil before the first request.
        var refused: Ticket?
        /// Nil in the first request of the call.
        var binding: Binding?
        /// Whose call it is, if it says so.
        var account: String?
        /// Whether the refresh itself makes the call.
        var isFromRefresh = false
        /// Whether it wants to know only who is signed in.
        var isOnlyLoading = false
        /// How many refreshes had ended before the one that it waits for.
        var round: Int?
        /// Whether it has waited for one: while its token is valid, it does not wait for the next.
        var hasWaited = false
        var now: Duration
        var date: Duration
    }

    enum Step {
        /// Continue with a token; nil when there is none for this call.
        case ready(Ticket?)
        /// Continue with a token that is valid for a while, and start a refresh of these tokens.
        case early(Ticket, TokenSet)
        case failed(any Error)
        /// Wait for what is running.
        case wait(isNeeded: Bool)
        /// Start loading, and wait.
        case load
        /// Start a refresh of these tokens, and wait.
        case refresh(TokenSet, isNeeded: Bool)

        /// How long a call waits that could go on with the old token, which may be refused; nil for as long as it takes.
        var patience: Duration? {
            switch self {
            case .wait(false), .refresh(_, false): .seconds(1)
            default: nil
            }
        }
    }

    /// What runs: one at a time.
    struct Flight {
        let id: Int
        /// When it began.
        var start = Duration.zero
        /// Whether all calls that wait fail with it: it began because they cannot continue with the old token.
        let isNeeded: Bool
        /// Whether the old token is still good, as far as is known, so that calls continue with it.
        var isEarly = false
        var waiters: [Int: Waiter] = [:]
        var task: Task<Void, Never>?
    }

    /// The turn of a call that waits; with an error, it fails.
    typealias Turn = OneShot<(any Error)?, Void>

    /// A call that waits.
    struct Waiter {
        let turn: Turn
        /// Whether its token was refused: it fails with what it waits for, whoever else is woken before it.
        let isRefused: Bool
    }
}
