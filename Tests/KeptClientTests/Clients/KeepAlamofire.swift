public import BackstopLibraryStandIns
public import BackstopResilience

extension AFError: @retroactive FailureReasonConvertible {
    /// What it means: a cancellation, a status, or the error in it.
    public var classifiedReason: Failure.Reason {
        if isExplicitlyCancelledError { return .cancelled }
        if let responseCode { return .status(StatusError(responseCode)) }
        return underlyingError.map { Failure($0, request: nil).reason } ?? .other(self)
    }
}

extension DataTask {  // of AF.request(request).serializingDecodable([Book].self)
    func valueOrFailure() async throws -> Value {
        let answer = await response
        let failure = Failure(answer.error, request: answer.request, response: answer.response, body: answer.data)
        if let failure { throw failure }
        return try answer.result.get()
    }
}
