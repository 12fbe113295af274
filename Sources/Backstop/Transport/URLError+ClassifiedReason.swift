public import BackstopCore
public import Foundation

extension URLError: FailureReasonConvertible {
    /// The meaning of a `URLError` thrown by your own interceptor or transport.
    ///
    /// ``URLSessionTransport`` knows more: the progress of the exchange. Here the phase is the usual one for the code.
    ///
    /// ```swift
    /// let reason = Failure.Reason(classifying: URLError(.notConnectedToInternet))
    /// let code = reason.code  // "transport.offline"
    /// ```
    public var classifiedReason: Failure.Reason {
        let known = URLErrorMapping.error(for: self, after: nil, timeout: nil)
        return Failure.Reason(classifying: known, isCancelled: true)
    }
}

extension HTTP.Request {
    /// A `URLError` thrown as `NSError`, as by Apple's `URLSession`; any other error unchanged.
    public static func recognized(_ error: any Error) -> any Error {
        (error as? URLError) ?? error
    }
}
