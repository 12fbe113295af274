internal import BackstopCore

// What runs in tasks of its own, for all calls that wait.
extension Credentials {
    func loading(_ id: Int, clock: any CallClock) -> Task<Void, Never> {
        Task { [store, refreshTimeout] in
            let result: Result<TokenSet?, any Error>
            do {
                let timeout = TimeoutError(.tokenRefresh, after: refreshTimeout)
                // A store that uses the client would wait for itself.
                result = .success(
                    try await withTimeLimit(refreshTimeout, clock: clock, throwing: timeout) {
                        try await RefreshingCredentials.with(ObjectIdentifier(self)) { try await store?.load() }
                    })
            } catch let error as TimeoutError where error.kind == .tokenRefresh {
                result = .failure(tooSlow("loaded"))
            } catch {
                result = .failure(RejectionError(.tokenStore, "The tokens could not be loaded: \(type(of: error))."))
            }
            state.withLock { $0.endLoading(id, with: result) }.forEach { $0() }
        }
    }

    /// Runs in a task of its own, so that cancelling one call does not cancel it for the others.
    func refreshing(_ tokens: TokenSet, _ id: Int, clock: any CallClock) -> Task<Void, Never> {
        Task { [renew, refreshTimeout] in
            let result: Result<TokenSet?, any Error>
            do {
                let timeout = TimeoutError(.tokenRefresh, after: refreshTimeout)
                let renewed = try await withTimeLimit(refreshTimeout, clock: clock, throwing: timeout) {
                    try await RefreshingCredentials.with(ObjectIdentifier(self)) { try await renew(tokens) }
                }
                if let account = renewed?.account, tokens.account.map({ $0 != account }) ?? false {
                    throw RejectionError(.accountChanged, "The refresh returned tokens of another account.")
                }
                result = .success(renewed)
            } catch let error as TokenRefusedForGood {
                result = .failure(error)
            } catch {
                result = .failure(TokenRefreshError(underlying: error))
            }
            let date = clock.date
            let (resumptions, saved, version) = state.withLock { state in
                let before = state.version
                let resumptions = state.endRefresh(id, with: result, date: date)
                return (resumptions, state.version == before ? nil : state.tokens, state.version)
            }
            if let saved {
                save(saved, version: version)
            }
            resumptions.forEach { $0() }
        }
    }

    /// Writes to the store after what is being written, unless the tokens have changed again by then.
    @discardableResult
    func save(_ tokens: TokenSet?, version: Int) -> Task<Void, any Error>? {
        guard let store else {
            return nil
        }
        return lastSave.withLock { last in
            let task = Task { [before = last?.task] in
                _ = await before?.result
                defer { lastSave.withLock { $0 = $0?.version == version ? nil : $0 } }
                guard state.withLock({ $0.version == version }) else {
                    return
                }
                do {
                    // Whatever began the refresh: saving is no part of it.
                    try await ContinuedCall.leaving { try await store.save(tokens) }
                } catch {
                    SystemLog.shared.write(
                        LogEntry(.error, "The tokens could not be saved: \(type(of: error))"))
                    throw error
                }
            }
            last = (version, task)
            return task
        }
    }

    /// Waits until the store has saved, or has taken too long: it goes on then, and later changes are saved after that.
    func wait(for saving: Task<Void, any Error>?) async throws {
        if let saving {
            let timeout = TimeoutError(.tokenRefresh, after: refreshTimeout)
            do {
                try await withTimeLimit(refreshTimeout, clock: SystemClock(), throwing: timeout) {
                    try await saving.value
                }
            } catch let error as TimeoutError where error.kind == .tokenRefresh {
                throw tooSlow("saved")
            }
        }
    }

    private func tooSlow(_ what: String) -> RejectionError {
        RejectionError(.tokenStore, "The tokens were not \(what) within \(refreshTimeout.text).")
    }
}

extension TimeoutError.Kind {
    /// The limit of a token refresh; the underlying error of a ``TokenRefreshError``.
    static let tokenRefresh = Self(
        "tokenRefresh", isTransient: true, isBeforeSending: true, explanation: "The token refresh did not end in time.",
        nextStep: "Give the client that refreshes a deadline, or raise Credentials.refreshTimeout.")
}
