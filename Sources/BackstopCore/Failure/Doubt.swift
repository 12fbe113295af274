/// What a call or an attempt may have done although it failed.
package enum Doubt: Sendable, Equatable {
    /// Nothing.
    case nothing
    /// A change that may be made again, and may then find its item gone, taken or changed.
    case change
    /// What may be sent again under one key only; the value is its hash. A key that was made within the call is another
    /// one in the next call.
    case keyedOrder(Int, isMade: Bool)
    /// What must not be sent again.
    case order

    package init(key: String) {
        self = .keyedOrder(key.hashValue, isMade: false)
    }

    /// Both of them.
    @inline(never)
    package func and(_ other: Doubt) -> Doubt {
        switch (self, other) {
        case (_, .nothing), (.order, _): self
        case (.nothing, _), (_, .order): other
        case (.keyedOrder(let one, false), .keyedOrder(let two, _)) where one == two: other
        case (.keyedOrder(let one, _), .keyedOrder(let two, _)): one == two ? self : .order
        case (.keyedOrder, .change): self
        case (.change, _): other
        }
    }

    /// What it is for requests with this key; nil for none.
    func under(_ key: String?) -> Doubt {
        if case .keyedOrder(let own, _) = self, own != key?.hashValue { .order } else { self }
    }
}

extension CallRequest {
    /// Whether it is safe to send again under a key only, or not at all.
    var isOrder: Bool { !isIdempotent || idempotencyKey != nil }
}

extension Failure {
    /// Whether the server may have done its work, so that a retry could repeat it.
    package var mayHaveWorked: Bool {
        mayHaveWorkedBefore || hasToBeChecked(lastDoubt)
    }

    /// What the call may have done, for one that is made again.
    package var doubt: Doubt {
        switch end.doubt.and(lastDoubt) {
        case _ where isCancelled: .nothing
        case .keyedOrder(let key, let isMade): .keyedOrder(key, isMade: isMade || !isOwn(key))
        case let other: other
        }
    }

    /// The same for words beside a button that repeats the call, which has its key then, whoever made it.
    package var keepingKey: Failure {
        Failure(changed(parts) { $0.end.keepsKey = true })
    }

    private func isOwn(_ key: Int) -> Bool { key == originalRequest?.idempotencyKey?.hashValue }

    /// The same for a call that was made again after others, which may have done this.
    package func after(_ doubt: Doubt) -> Failure {
        guard doubt != .nothing else {
            return self
        }
        var parts = parts
        // A key that was refused is another than before.
        let isOtherKey = code == "rejected.idempotencyKey"
        let key = isOtherKey ? nil : RepeatSafety(sentRequests).key ?? originalRequest?.idempotencyKey
        parts.end.doubt = end.doubt.and(doubt.under(key))
        return Failure(parts)
    }

    /// Whether that was before the last attempt, or beside it: what must not be sent twice, or a change that now finds its
    /// item gone, taken or changed, as a DELETE that was repeated gets 404, and a PUT with `If-Match` 412.
    var mayHaveWorkedBefore: Bool {
        hasToBeChecked(end.doubt) && !isCancelled
            || end.doubt != .nothing && !onlyRead && [404, 409, 410, 412].contains(meantStatus)
    }

    /// Whether people have to check before they try again. A key makes that safe only where the same request may succeed
    /// later, also with more time or after a sign-in: a corrected one is another order, under another key.
    private func hasToBeChecked(_ doubt: Doubt) -> Bool {
        switch doubt {
        case .nothing, .change: false
        case .keyedOrder(let key, let isMade) where !end.keepsKey && (isMade || !isOwn(key)): true
        case .keyedOrder: if case .timeout = reason { false } else { !isTransient && meantStatus != 401 }
        case .order: true
        }
    }

    /// What the deciding attempt may have done.
    private var lastDoubt: Doubt {
        let safety = RepeatSafety(sentRequests)
        guard end.sender == nil, !end.onlyReads, !safety.isIdempotent || !safety.isReadOnly, mayBeDone else {
            return .nothing
        }
        guard safety.isIdempotent, let key = safety.key else {
            return safety.isIdempotent ? .change : .order
        }
        // Another server, or one that was asked under another key as well, does not know it.
        guard repeatSafety.isIdempotent else { return .order }
        // What made a key within an operation may make another one next time.
        return originalRequest is any OperationRequest ? .order : Doubt(key: key)
    }

    /// Whether the server may have done what the deciding attempt has sent.
    private var mayBeDone: Bool {
        // If the last request is no order, one came before it and was answered, as by a redirect.
        let hops = sentRequests.filter { !($0 is any OperationRequest) }
        let isRedirected = hops.contains(where: \.isOrder) && hops.last?.isOrder == false
        let isAnswered = isRedirected || progress?.response != nil
        let isUnsent = !isAnswered && [.queued, .connecting].contains(progress?.phase ?? .unknown)
        var phase = progress?.phase ?? .unknown
        if case .transport(let error) = reason, error.phase != .unknown {
            phase = error.phase
        }
        return switch reason {
        case .transport(let error):
            isRedirected || !isRefused && isOfUnknownCall && receivedResponse != nil
                // A network that goes away after the request began says nothing about the request.
                || !isRefused && (error.code.row.leavesDoubt || [.sending, .waiting].contains(phase))
                    && (isAnswered || ![.queued, .connecting].contains(phase))
        // A connection that is made in the moment of the limit may still take the request along.
        case .timeout(let error):
            isRedirected || !isRefused && !error.kind.isBeforeSending && progress?.phase != .queued
        // A status below 400 accepts the order, whatever the chain thinks of it.
        case .status(let error):
            error.code < 400 || error.isExecuted || leavesDoubt(error.code, isRedirected: isRedirected)
        case .service(let error):
            stopReason == .begun || (error as? any StatusMeaning)?.leavesDoubt == true
                // Problem details that came as a success mean the status that they name.
                || statusCode.map { $0 < 400 ? meantStatus ?? $0 : $0 }
                    .map { leavesDoubt($0, isRedirected: isRedirected) } ?? false
        // The response was rejected here, or could not be used: that undoes nothing on the server.
        case .decoding, .rejected, .storage, .other:
            statusCode.map { $0 < 400 || leavesDoubt($0, isRedirected: isRedirected) } ?? !isUnsent
        case .cancelled, .request: false
        }
    }

    /// Whether the head of a response had arrived, and says that the server did not do what it was asked.
    private var isRefused: Bool {
        guard let status = (progress?.response ?? receivedResponse)?.statusCode else {
            return false
        }
        return status >= 400 && !StatusError.Facts.of(status).leavesDoubt
    }

    /// Whether the server may have done its work although it answered with this status.
    ///
    /// - Parameter isRedirected: Whether the status answers a later request than the order, which a redirect led to: it
    ///   says nothing about the order.
    private func leavesDoubt(_ status: Int, isRedirected: Bool) -> Bool {
        StatusError.Facts.of(status).leavesDoubt || isRedirected
    }
}

extension RepeatSafety {
    /// With what a nested client has sent, if the error is its failure.
    package func including(_ error: any Error) -> RepeatSafety {
        var safety = self
        if let inner = error as? Failure {
            safety.add(inner.repeatSafety)
        }
        return safety
    }
}
