#if Hummingbird
    public import BackstopCore
    internal import HTTPTypes
    public import Hummingbird
    internal import Logging
    internal import NIOHTTP1

    /// Answers the failures of calls that handlers make, and all other errors, with problem details (RFC 9457).
    ///
    /// Handlers throw what their clients throw:
    ///
    /// ```swift
    /// func routes(_ shop: Client) -> Router<BasicRequestContext> {
    ///     let router = Router()
    ///     router.add(middleware: FailureMiddleware(passing: [404]))
    ///     router.get("orders/:id") { _, context in
    ///         try await shop.get("orders/\(context.parameters.require("id", as: Int.self))", as: String.self)
    ///     }
    ///     return router
    /// }
    /// ```
    /// A service that gives no usable answer is a 502, one that is not available a 503, with `Retry-After` if that is
    /// known, one that is late a 504, and a mistake of this server a 500; `Docs/Transports.md` has the table. The answer
    /// has the failure's `code`, and nothing that the service sent: no URL, header or body.
    ///
    /// A Hummingbird `HTTPError` keeps its status, headers and message. Other `HTTPResponseError`s keep their answer; one
    /// without a body gets problem details. Anything else is a 500 that says nothing of the error.
    ///
    /// Each failed request is logged once, with the failure's redacted report: a 500 as an error, what a service caused
    /// as a warning, the rest for debugging. So is a failure after the head of a response without a length was sent;
    /// Hummingbird then closes the connection.
    ///
    /// Add it after `TracingMiddleware`, `MetricsMiddleware` and `CORSMiddleware`, which so see the status, and before
    /// all whose errors it is to answer.
    public struct FailureMiddleware<Context: RequestContext>: RouterMiddleware {
        private let statuses: Set<Int>
        private let mapping: @Sendable (Failure) -> HTTPError?

        /// Makes the middleware.
        ///
        /// - Parameters:
        ///   - statuses: The statuses of services, from 400, that callers get as they are, such as 404. Default: none,
        ///     because a request that a service refuses is this server's.
        ///   - mapping: Answers a failure in another way, as `HTTPError` does; nil, or a status below 400, for the
        ///     table. Its texts reach the caller. Default: the table for all.
        public init(
            passing statuses: Set<Int> = [], mapping: @escaping @Sendable (Failure) -> HTTPError? = { _ in nil }
        ) {
            self.statuses = statuses.filter { $0 >= 400 }
            self.mapping = mapping
        }

        /// Runs the handler, and answers its error.
        ///
        /// - Throws: An `HTTPResponseError`, of which Hummingbird makes the response.
        public func handle(
            _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
        ) async throws -> Response {
            do {
                var response = try await next(request, context)
                // A body with a length is mostly there as a whole, and Hummingbird sends it in one piece.
                if response.body.contentLength == nil {
                    response.body = watched(response.body, request, context)
                }
                return response
            } catch {
                if let logged = error as? LoggedFailure {
                    // A middleware between two of these has collected the body.
                    throw problem(of: logged.failure, request, context) ?? logged.failure
                }
                let error = Self.failure(error) ?? error
                guard let problem = problem(of: error, request, context) else {
                    if !(error is ProblemError), let own = error as? any HTTPResponseError, own.status.code >= 400 {
                        log(error, "was answered with \(own.status.code)", own.status.code, request, context)
                    }
                    throw error
                }
                log(error, "was answered with \(problem.status.code)", problem.status.code, request, context)
                throw problem
            }
        }

        /// The failure that an error is, carries, as one of another library may, or has a meaning for; nil for another.
        private static func failure(_ error: any Error) -> Failure? {
            error as? Failure ?? (error as? any FailureCarrier)?.carriedFailure
                ?? (error is any FailureReasonConvertible && !(error is any HTTPResponseError) ? Failure(error) : nil)
        }

        /// The answer to an error; nil for one that has its own.
        private func problem(of error: any Error, _ request: Request, _ context: Context) -> ProblemError? {
            switch error {
            case is ProblemError, is HTTPParserError:  // Hummingbird closes the connection of a malformed request.
                return nil
            case let failure as Failure:
                if let mapped = mapping(failure), mapped.status.code >= 400 {
                    return ProblemError(mapped.status.code, headers: mapped.headers, detail: mapped.body)
                }
                let passed = failure.statusCode.flatMap { statuses.contains($0) ? $0 : nil }
                return ProblemError(failure, status: passed ?? failure.answerStatus)
            case let error as HTTPError where error.status.code >= 400:
                return ProblemError(error.status.code, headers: error.headers, detail: error.body)
            case let error as any HTTPResponseError:
                guard error.status.code >= 400 else {
                    return nil
                }
                guard let response = try? error.response(from: request, context: context) else {
                    return ProblemError(500)
                }
                return response.body.contentLength == 0
                    ? ProblemError(response.status.code, headers: response.headers) : nil
            default:
                return ProblemError(Failure(error, inCancelledTask: true).isCancelled ? 499 : 500)
            }
        }

        /// A body whose failure is logged: its head is sent, so that nobody can answer it any more.
        private func watched(_ body: ResponseBody, _ request: Request, _ context: Context) -> ResponseBody {
            ResponseBody { writer in
                do {
                    try await body.write(writer)
                } catch {
                    guard let failure = Self.failure(error) else { throw error }
                    log(failure, "failed after its head was answered", failure.answerStatus, request, context)
                    // No failure any more, so that another of these middlewares does not log it again.
                    throw LoggedFailure(failure: failure)
                }
            }
        }

        /// - Parameter status: What the answer is, or would be.
        private func log(
            _ error: any Error, _ end: String, _ status: Int, _ request: Request, _ context: Context
        ) {
            let level: Logger.Level = status == 500 ? .error : status > 500 ? .warning : .debug
            let failure = error as? Failure
            // The pattern of the path: what a caller fills in may be a secret.
            context.logger.log(
                level: level,
                """
                \(request.method) \(context.endpointPath ?? "") \(end)
                \(failure.map { $0.report(redaction: $0.shownRedaction) } ?? Redaction.shown(error: error))
                """,
                metadata: Logger.Metadata(
                    (failure?.logFields ?? []).map { ($0.name, .string($0.value)) }, uniquingKeysWith: { $1 }))
        }
    }

    /// A failure that is in the log already.
    private struct LoggedFailure: Error {
        let failure: Failure
    }
#endif
