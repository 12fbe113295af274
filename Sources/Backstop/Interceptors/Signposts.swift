public import BackstopCore

#if canImport(os)
    internal import os
#endif

/// Marks each call, or each attempt, as an interval (`os_signpost`), for Instruments on Apple platforms. Elsewhere, it
/// passes calls on.
///
/// ```swift
/// let client = try Client.standard(baseURL: "https://api.example.com/v1", interceptors: [Signposts(.attempt)])
///     .withChain { $0.prepending(Signposts(.call)) }
/// ```
/// An interval has the number and the name of its call, and ends with `ok` or the failure's code. While nobody records, it
/// costs nearly nothing.
public struct Signposts: HTTP.Interceptor {
    /// Begins an interval; what it returns ends it. Nil while nobody records.
    typealias Recorder = @Sendable (RequestLogging.Subject, _ text: () -> String) -> ((_ result: String) -> Void)?

    /// What each interval is.
    public let subject: RequestLogging.Subject
    private let begin: Recorder

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - subject: The whole call, outside all other interceptors, or each attempt, inside retry.
    ///   - subsystem: The subsystem of the unified log: the app's bundle identifier, say. Its category is `calls`.
    ///     Default: `dev.backstop`.
    public init(_ subject: RequestLogging.Subject = .call, subsystem: String = "dev.backstop") {
        self.init(subject, begin: Self.recorder(subsystem))
    }

    init(_ subject: RequestLogging.Subject, begin: @escaping Recorder) {
        self.subject = subject
        self.begin = begin
    }

    /// Marks what happens inside.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        guard let end = begin(subject, { text(context) }) else {
            return try await next(request)
        }
        do {
            let response = try await next(request)
            end("ok")
            return response
        } catch {
            end(subject.reason(of: error).code)
            throw error
        }
    }

    private func text(_ context: CallContext) -> String {
        let name = BodyText.line(context.redaction.forOthers.text(context.name), limit: 100)
        return "#\(context.id)\(name.isEmpty ? "" : " \(name)")"
            + (subject == .attempt ? " (attempt \(context.attempt))" : "")
    }

    private static func recorder(_ subsystem: String) -> Recorder {
        #if canImport(os)
            // https://developer.apple.com/documentation/os/ossignposter
            return { subject, text in
                let signposter = OSSignposter(subsystem: subsystem, category: "calls")
                guard signposter.isEnabled else {
                    return nil
                }
                let name: StaticString = subject == .call ? "call" : "attempt"
                let text = text()
                let state = signposter.beginInterval(
                    name, id: signposter.makeSignpostID(), "\(text, privacy: .public)")
                return { signposter.endInterval(name, state, "\($0, privacy: .public)") }
            }
        #else
            return { _, _ in nil }
        #endif
    }
}
