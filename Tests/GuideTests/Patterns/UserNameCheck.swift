#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopPresentation

    nonisolated struct Availability: Decodable, Sendable {
        let isAvailable: Bool
        let userName: String
    }

    /// The service's own words, which are meant for people.
    nonisolated struct SignUpProblem: APIError {
        static let identifyingKeys = ["error", "reason"]
        let reason: String
        var failureMessage: String? { reason }
    }

    extension Client {
        /// The sign-up service. The chain does not retry: the pipeline below does, and attempts would multiply.
        static func names(
            baseURL: some HTTP.Target, options: CallOptions = CallOptions(),
            handling: FailureHandling = FailureHandling()
        ) throws -> Client {
            try .standard(
                baseURL: baseURL, apiError: SignUpProblem.self, retry: .never, options: options, handling: handling)
        }
    }

    extension PresentationPolicy {
        /// Shows what is wrong with a name at its field, and everything else by the default rules.
        nonisolated static var signUp: PresentationPolicy {
            PresentationPolicy { Present(status: 400, as: .inline(field: "userName")) }
        }
    }

    /// Checks the latest name. A failure is a result, so the pipeline goes on with the next key stroke.
    func availability(
        of names: AnyPublisher<String, Never>, with client: Client
    ) throws -> AnyPublisher<Result<Availability, Failure>, Never> {
        // Only if the service says when, and not before.
        let policy = try RetryPolicy { $0.receivedResponse?.retryAfter(now: .zero) != nil }
        return
            names
            .removeDuplicates()
            .map { @Sendable name in
                client.publisher(for: .get("isUserNameAvailable", query: ["userName": name], as: Availability.self))
                    .retry(policy)
                    .asResult()
            }
            .switchToLatest()
            .eraseToAnyPublisher()
    }
#endif
