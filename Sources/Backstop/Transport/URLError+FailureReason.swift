public import BackstopCore
public import Foundation

extension URLError: FailureReasonConvertible {
    /// What a `URLError` means that an interceptor or a transport of your own let through.
    ///
    /// ``URLSessionTransport`` says more: it knows how far the exchange had come, and here the phase is the one in
    /// which the code usually appears.
    ///
    /// ```swift
    /// let reason = Failure.Reason(classifying: URLError(.notConnectedToInternet))
    /// let code = reason.code  // "transport.offline"
    /// ```
    public var failureReason: Failure.Reason {
        let known = URLErrorMapping.error(for: self, after: nil, timeout: nil)
        return Failure.Reason(classifying: known, isCancelled: true)
    }
}

extension HTTP.Request {
    /// A `URLError` that came as `NSError`, as Apple's `URLSession` throws it; any other error as it is.
    public static func recognized(_ error: any Error) -> any Error {
        (error as? URLError) ?? error
    }
}
