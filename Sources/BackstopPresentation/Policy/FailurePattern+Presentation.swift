public import BackstopCore

extension FailurePattern {
    /// Input that the service did not accept: 400 and 422, an error that knows its fields, and any other refusal of the
    /// service that has words for people. The 400 of a request that only reads counts as any other.
    ///
    /// A refusal that has nothing to do with the input is none: 401, 403, 404, 410, a fault of the server, what may pass.
    public static let validation = FailurePattern("validation") { failure in
        guard !failure.isTransient else {
            return false
        }
        switch failure.meantStatus {
        case 400 where !failure.onlyRead, 422: return true
        case let status? where status >= 500: return false
        case 401, 403, 404, 407, 410, 429: return false
        default: return !failure.fieldDetails.isEmpty || failure.ownText != nil
        }
    }

    /// The server may have done what it was asked, such as an order, although no answer came: a person has to check before
    /// it is asked again. With an `Idempotency-Key` of the request's own, only where asking again would not help; one that
    /// an interceptor made is another in the next call.
    public static let mayHaveWorked = FailurePattern("mayHaveWorked") { $0.mayHaveWorked }

    /// A server that is down and says for how long: a status from 500 on, and `Retry-After`.
    public static let maintenance = FailurePattern("maintenance") { failure in
        failure.retryAfter != nil && (failure.meantStatus ?? 0) >= 500
    }

    /// Answers that mean one of these statuses, whatever the response's own is: GraphQL answers 200 to most errors.
    static func means(_ name: String, _ test: @escaping @Sendable (Int) -> Bool) -> FailurePattern {
        FailurePattern(name) { $0.meantStatus.map(test) ?? false }
    }
}

extension Failure {
    /// The fields that the error is about, as its type says.
    var fieldDetails: [FieldDetail] {
        guard case .service(let error) = reason, let details = (error as? any FieldError)?.fieldDetails else {
            return []
        }
        return FieldDetail.merged(
            details.prefix(FieldDetail.limits.fields).compactMap { detail in
                fieldName(detail.field).map { FieldDetail($0, detail: detail.detail) }
            })
    }

    /// A field's name, which a server may have chosen: redacted, on one line, and at most 100 characters; nil when nothing
    /// is left.
    func fieldName(_ name: String) -> String? {
        let name = textForPeople(FieldDetail.bounded(name), upTo: 100)
        return name.isEmpty ? nil : name
    }
}
