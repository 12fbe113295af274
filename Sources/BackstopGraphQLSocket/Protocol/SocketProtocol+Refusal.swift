internal import Backstop
internal import BackstopCore

extension SocketProtocol {
    /// Whether the server may run an operation nevertheless whose request was refused, or failed: the answer may be that
    /// of a proxy, or of a server that has begun. One that found no free connection in time was not sent.
    static func mayRun(after answer: Result<HTTP.Response, any Error>) -> Bool {
        switch answer {
        case .success(let response): response.status == 408 || response.status >= 500
        case .failure(let error): (error as? TimeoutError)?.kind.isBeforeSending != true
        }
    }
}
