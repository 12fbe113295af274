public import BackstopLibraryStandIns
public import BackstopResilience

extension ResponseCodeInterceptor.ResponseCodeError: @retroactive FailureReasonConvertible {
    /// The status, with the response.
    public var classifiedReason: Failure.Reason {
        let answer = HTTP.Response(response, body: chunk)
        return .status(StatusError(answer.status, response: answer))
    }
}
