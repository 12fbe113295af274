public import BackstopLibraryStandIns
public import BackstopResilience
import Foundation

extension AFError: @retroactive FailureReasonConvertible {
    /// What it means: a cancellation, a status, the error in it, no content or another one, or a request not built.
    public var classifiedReason: Failure.Reason {
        if isExplicitlyCancelledError { return .cancelled }
        if let responseCode { return .status(StatusError(responseCode)) }
        if let underlyingError { return Failure(underlyingError, request: nil).reason }
        if isResponseSerializationError || isResponseValidationError {
            let error = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: localizedDescription))
            return Failure(error, request: nil).reason
        }
        return isInvalidURLError ? .request(RequestError(.invalidURL, localizedDescription)) : .other(self)
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
