import BackstopAuthentication
import BackstopCore

/// A sign-in server that answers when the test says so.
final class ScriptedLogin: Sendable {
    private struct State {
        var asked: [TokenSet] = []
        var answers: [Result<TokenSet?, any Error>] = []
        var waiting: [CheckedContinuation<TokenSet?, any Error>] = []
    }

    /// Guarded by the lock.
    private let state = Lock(State())

    /// The tokens that were to be refreshed.
    var asked: [TokenSet] { state.withLock { $0.asked } }

    var refresh: @Sendable (TokenSet) async throws -> TokenSet? {
        { tokens in
            try await withCheckedThrowingContinuation { continuation in
                let answer = self.state.withLock { state -> Result<TokenSet?, any Error>? in
                    state.asked.append(tokens)
                    guard !state.answers.isEmpty else {
                        state.waiting.append(continuation)
                        return nil
                    }
                    return state.answers.removeFirst()
                }
                if let answer { continuation.resume(with: answer) }
            }
        }
    }

    /// Answers those who wait, or the next.
    func answer(_ answers: Result<TokenSet?, any Error>...) {
        for answer in answers {
            let waiting = state.withLock { state in
                if state.waiting.isEmpty { state.answers.append(answer) }
                return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            }
            waiting?.resume(with: answer)
        }
    }

    func waitForAsked(_ count: Int) async {
        while asked.count < count { await Task.yield() }
    }
}
