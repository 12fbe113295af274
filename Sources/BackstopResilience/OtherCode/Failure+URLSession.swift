public import Backstop
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Failure {
    /// The failure of a call that other code made: `URLSession`, Alamofire, Moya.
    ///
    /// Code, message, report and handlers are those of a call of a client. Nothing is said about what nobody knows here,
    /// such as whether the request was sent.
    ///
    /// ```swift
    /// func data(_ request: URLRequest) async throws(Failure) -> Data {
    ///     do {
    ///         let (data, response) = try await URLSession.shared.data(for: request)
    ///         if let refusal = Failure(nil, request: request, response: response, body: data) { throw refusal }
    ///         return data
    ///     } catch {
    ///         throw Failure(error, request: request)
    ///     }
    /// }
    /// ```
    /// An error that Backstop does not know has the meaning of the first known one under it (`NSUnderlyingErrorKey`,
    /// `NSMultipleUnderlyingErrorsKey`), of up to 32; what another library wraps in its own way is found by conforming
    /// its error to `FailureReasonConvertible`. `underlying` stays the error as given. With a status from 400 on, an error
    /// that Backstop does not know, or one of decoding, is that status. A `DecodingError` is held against the body.
    ///
    /// - Parameters:
    ///   - error: What was thrown. A failure stays the same, with request and response.
    ///   - request: The request, which decides whether repeating it is safe; nil when there is none.
    ///   - response: The response; nil when none arrived. One that is not HTTP's is not shown.
    ///   - body: What arrived of its body, of which 64 KiB are kept. Default: nothing.
    public init(_ error: any Error, request: URLRequest?, response: URLResponse? = nil, body: Data? = nil) {
        let answer = (response as? HTTPURLResponse).map { HTTP.Response($0, body: body ?? Data()) }
        self.init(
            Self.recognized(error), request: request.flatMap { try? HTTP.Request($0) }, response: answer)
        switch reason {
        case .other, .decoding:
            if let answer, answer.status >= 400 {
                self = replacing(.status(StatusError(answer.status, response: receivedResponse)))
            } else if case .decoding(let failure) = reason, failure.isOfApp, let cause = failure.underlying, let body {
                self = replacing(
                    .decoding(
                        DecodingFailure(
                            cause, decoding: Any.self, from: body, contentType: answer?.headers[.contentType])))
            }
        default:
            break
        }
    }

    /// The failure, if there is one, in what `URLSession` and its like give to a closure.
    ///
    /// ```swift
    /// func load(_ request: URLRequest, completion: @escaping @Sendable (Result<Data, Failure>) -> Void) {
    ///     URLSession.shared.dataTask(with: request) { data, response, error in
    ///         let failure = Failure(error, request: request, response: response, body: data)
    ///         completion(failure.map { .failure($0) } ?? .success(data ?? Data()))
    ///     }.resume()
    /// }
    /// ```
    /// - Parameters:
    ///   - error: The error; nil when there is none. The failure is then `.status`, if the response's is 400 or more.
    ///   - request: The request, which decides whether repeating it is safe; nil when there is none.
    ///   - response: The response; nil when none arrived.
    ///   - body: What arrived of its body, of which 64 KiB are kept; nil for nothing.
    /// - Returns: Nil without an error, if the status is below 400 or there is none.
    public init?(_ error: (any Error)?, request: URLRequest?, response: URLResponse?, body: Data?) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard let error = error ?? (status >= 400 ? StatusError(status) : nil) else {
            return nil
        }
        self.init(error, request: request, response: response, body: body)
    }

    /// An error of other code as what it means: as a client recognizes it, or else a failure of this error with the
    /// meaning of the first error under it that is known.
    static func recognized(_ error: any Error) -> any Error {
        let recognized = HTTP.Request.recognized(error)
        guard meaning(of: recognized) == nil else {
            return recognized
        }
        // From the outside in.
        var errors = [(error as? Failure)?.underlying ?? error]
        for position in 0...32 where position < errors.count {
            let known = HTTP.Request.recognized(errors[position])
            if let reason = meaning(of: known) {
                return Failure(error).replacing(reason, of: known)
            }
            let info = (errors[position] as NSError).userInfo
            errors += [info[NSUnderlyingErrorKey] as? any Error].compactMap { $0 }
            errors += (info["NSMultipleUnderlyingErrorsKey"] as? [any Error] ?? []).prefix(32)
        }
        return recognized
    }

    /// The reason of an error that Backstop knows; nil of another.
    private static func meaning(of error: any Error) -> Reason? {
        let reason = Reason(classifying: error, isCancelled: true)
        if case .other = reason {
            return nil
        }
        return reason
    }
}
