internal import Backstop

extension SocketProtocol {
    /// Whether the server may run an operation nevertheless whose request was refused, or failed: the answer may be that
    /// of a proxy, or of a server that has begun.
    static func mayRun(after answer: Result<HTTP.Response, any Error>) -> Bool {
        switch answer {
        case .success(let response): response.status == 408 || response.status >= 500
        case .failure: true
        }
    }
}
