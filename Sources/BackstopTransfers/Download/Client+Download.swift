public import Backstop
public import BackstopCore
public import Foundation

/// A file that was downloaded.
public struct DownloadedFile: Sendable {
    /// Where it is.
    public var url: URL
    /// The head of the last response, without a body.
    public var response: HTTP.Response
    /// How many bytes it has, and how many calls it took.
    public var report: TransferReport
    /// Whether its end is known to be its end: by a length that was announced, the last chunk of a chunked response, the
    /// end of a stream of HTTP/2, or a checksum that was checked. Without any of these, a lost connection looks like the
    /// end. Only then, and over HTTP/2 with a transport that does not say so (`HTTP.Response.httpVersion`),
    /// is it false.
    public var isComplete: Bool
}

extension Client {
    /// Downloads a file, and goes on where it stopped: after a loss, and after an earlier download that did not end.
    ///
    /// ```swift
    /// func map(_ client: Client, to file: URL) async throws(Failure) -> URL {
    ///     try await client.download("maps/7.zip", to: file).value.url
    /// }
    /// ```
    /// The bytes are written to `.NAME.partial` beside the file, which gets its name in one step when it is whole. What
    /// was downloaded stays when the download fails or is cancelled, if the server says which version it was: then the
    /// next download of the same URL goes on (`Range` and `If-Range`, RFC 9110, 13.1.5 and 14.2), or begins anew, the
    /// first time at once, if the file has changed or the server gives no parts. A call that brought bytes costs a wait;
    /// any other is an attempt of the retry policy.
    /// A server that sends a part of what was asked for is asked for the next at once, or after 0.1 s if it had less than
    /// 1 KiB.
    ///
    /// The length that the server announces, and its `Repr-Digest` (SHA-256, RFC 9530), are checked. What is from one
    /// URL after all redirects is not joined with what is from another, unless a checksum is known.
    ///
    /// - Parameters:
    ///   - target: A path relative to the client's base URL, or an absolute URL, for a GET.
    ///   - file: Where to put it. The folder must exist.
    ///   - query: The items of the query. Default: none.
    ///   - headers: Additional header fields. Default: none. With a `Range`, the download fails with `request.invalid`.
    ///   - options: What to do with a file that is there, what to check.
    /// - Returns: The download, which runs already. Its failure is `storage` when the file cannot be written or is not
    ///   the right one; `failure.transfer` says how much there is.
    public func download(
        _ target: some HTTP.Target, to file: URL, query: HTTP.Query = [:], headers: HTTP.Headers = [:],
        options: DownloadOptions = .standard
    ) -> Transfer<DownloadedFile> {
        download(.get(target, query: query, headers: headers), to: file, options: options)
    }

    /// Downloads what an endpoint asks for, whose own content is not read.
    ///
    /// A request that does more than read, such as a POST that makes an export, is not made again, and leaves nothing
    /// for another download.
    public func download(
        _ endpoint: some Endpoint, to file: URL, options: DownloadOptions = .standard
    ) -> Transfer<DownloadedFile> {
        download(endpoint, to: file, options, isObserved: true)
    }

    /// Downloads a file, and passes its failure to the handlers. Never throws.
    ///
    /// ```swift
    /// func update(_ client: Client, to file: URL) async {
    ///     await client.perform(.get("maps/7.zip"), downloadingTo: file) {
    ///         On(.code("storage.full")) { _ in print("Please free some space.") }
    ///     }
    /// }
    /// ```
    /// If a handler repeats the call, it goes on where it stopped.
    ///
    /// - Parameters:
    ///   - endpoint: What to ask for; its own content is not read.
    ///   - file: Where to put it. The folder must exist.
    ///   - options: What to do with a file that is there, what to check.
    ///   - handlers: Handlers of this call, which are asked first. Default: none.
    /// - Returns: The outcome: exactly one.
    @discardableResult
    public func perform(
        _ endpoint: some Endpoint, downloadingTo file: URL, options: DownloadOptions = .standard,
        @HandlerBuilder handlers: () -> [any FailureHandler] = { [] }
    ) async -> Outcome<DownloadedFile> {
        let call = RepeatedCall()
        return await handling.perform(
            clock: self.options.clock, own: handlers().map { FailureHandling.OwnHandler<DownloadedFile>($0) }
        ) { () async throws(Failure) in
            try await download(endpoint, to: file, options, isObserved: false, as: call).value
        }
    }

    private func download(
        _ endpoint: some Endpoint, to file: URL, _ options: DownloadOptions, isObserved: Bool,
        as call: RepeatedCall? = nil
    ) -> Transfer<DownloadedFile> {
        let meter = TransferMeter()
        return Transfer(meter) { () async throws(Failure) in
            let download = Download(file, options, meter, base: baseURL?.absoluteString ?? "")
            let legs = Legs(download, silence: options.silence, clock: self.options.clock, series: download)
            do throws(Failure) {
                do {
                    try await open(download)
                } catch {
                    throw Failure(error, stopReason: .notRetryable)
                }
                try await run(endpoint, legs, as: call)
                return try download.file(of: legs)
            } catch {
                await download.leave()
                if isObserved {
                    await handling.observeThrown(error)
                }
                throw error
            }
        }
    }

    /// Opens the file, for up to a second of the call's time: a download that was cancelled just now may still be writing
    /// it.
    private func open(_ download: Download) async throws {
        let patience = min(options.deadline ?? .seconds(1), .seconds(1))
        for _ in 0..<max(0, Int(patience / .milliseconds(50))) {
            do {
                return try await download.open()
            } catch let error as StorageError where error.code == .inUse {
                try await options.clock.sleep(for: .milliseconds(50))
            }
        }
        try await download.open()
    }
}
