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
        let known =
            URLErrorMapping.error(for: self, after: nil, timeout: nil)
            ?? TransportError(.unknown, underlying: self)
        return Failure.Reason(classifying: known, isCancelled: true)
    }
}

extension HTTP.Request {
    /// A `URLError` thrown as `NSError`, as by Apple's `URLSession`, an error of sockets, CFNetwork or TLS, and a
    /// cancellation of Foundation, as what it means, and the status of a failure that became an `NSError`; any other
    /// error unchanged.
    public static func recognized(_ error: any Error) -> any Error {
        if let known = error as? URLError {
            return known
        }
        // What CFNetwork makes is of a subclass.
        guard type(of: error) is NSError.Type || error is POSIXError || error is CocoaError else {
            return error
        }
        let bridged = error as NSError
        switch bridged.domain {
        case NSURLErrorDomain:
            // On Linux no cast knows it, and the code is an optional.
            let code: URLError.Code? = URLError.Code(rawValue: bridged.code)
            return code.map { URLError($0, userInfo: bridged.userInfo) } ?? error
        case Failure.errorDomain where 100...599 ~= bridged.code,
            StatusError.errorDomain where 100...599 ~= bridged.code:
            return StatusError(bridged.code)
        default:
            let known = URLErrorMapping.error(for: bridged, after: nil, timeout: nil)
            // A `CancellationError` is that of a task.
            return known is CancellationError
                ? URLError(.cancelled, userInfo: [NSUnderlyingErrorKey: error]) : known ?? error
        }
    }
}
