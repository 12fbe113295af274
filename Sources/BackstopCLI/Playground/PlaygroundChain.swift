#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopGraphQL

    /// The chain of a call of the playground: the roles that can be switched and moved.
    enum PlaygroundChain {
        /// What the interceptors are made with.
        struct Settings: Sendable {
            var attempts = 3
            var delay: Duration = .milliseconds(500)
            var timeout: Duration = .seconds(3)
            var deadline: Duration?
            var serviceErrors: PlaygroundCall.ServiceErrors = .problem
        }

        /// A role that can be switched on or off.
        struct Offer: Sendable {
            let role: Role
            let isStandard: Bool
            let summary: String
        }

        /// All of them, in the standard order.
        static let offers: [Offer] = Role.graphQLOrder.compactMap { role in
            summaries[role].map { Offer(role: role, isStandard: !further.contains(role), summary: $0) }
        }

        /// What the standard chain does not have by itself.
        private static let further: Set<Role> = [.attemptLogging, .persistedQueries]

        private static let summaries: [Role: String] = [
            .logging: "a line for the call",
            .deadline: "limits the call",
            .retry: "sends again when safe",
            .attemptLogging: "a line for each attempt",
            .decoding: "reads the content",
            .statusValidation: "a 404 is a failure",
            .apiErrorDecoding: "the service's words",
            .persistedQueries: "hashes for GraphQL documents",
            .attemptTimeout: "limits one attempt",
        ]

        /// The roles of a list with commas between them, outermost first; those of the standard chain for nil.
        static func roles(_ text: String?) throws(WebRefusal) -> [Role] {
            guard let text else {
                return offers.filter(\.isStandard).map(\.role)
            }
            var roles: [Role] = []
            for name in text.split(separator: ",", maxSplits: offers.count) {
                guard let offer = offers.first(where: { $0.role.name == name }), !roles.contains(offer.role) else {
                    throw .badRequest(
                        "chain has each of these roles at most once, outermost first, with commas between them: "
                            + offers.map(\.role.name).joined(separator: ","))
                }
                roles.append(offer.role)
            }
            return roles
        }

        static func interceptor(_ role: Role, _ settings: Settings, log: any LogSink) throws -> any HTTP.Interceptor {
            switch role {
            case .logging: RequestLogging(.call, successLevel: .info, to: log)
            case .deadline: settings.deadline.map { Deadline($0) } ?? Deadline()
            case .retry: Retry(try policy(settings))
            case .attemptLogging: RequestLogging(.attempt, successLevel: .info, to: log)
            case .decoding: Decoding()
            case .statusValidation: StatusValidation()
            case .apiErrorDecoding:
                switch settings.serviceErrors {
                case .problem: APIErrorDecoding(ProblemDetails.self)
                case .reason: APIErrorDecoding(SignUpError.self)
                }
            case .persistedQueries: PersistedQueries()
            default: AttemptTimeout(settings.timeout)
            }
        }

        private static func policy(_ settings: Settings) throws -> RetryPolicy {
            try RetryPolicy(
                attempts: settings.attempts, backoff: Backoff(baseDelay: settings.delay), timeouts: .onceIfAnswered)
        }

        /// The roles and what is wrong with their order, as JSON.
        static func order(_ roles: [Role]) -> String {
            let issues = OrderIssue.issues(in: roles).map { issue in
                JSONWriter.object([
                    ("severity", JSONWriter.quoted(issue.rule.severity.rawValue)),
                    ("text", JSONWriter.quoted(issue.description)),
                    ("outer", JSONWriter.quoted(issue.rule.outer.name)),
                    ("inner", JSONWriter.quoted(issue.rule.inner.name)),
                ])
            }
            return JSONWriter.object([
                ("roles", JSONWriter.list(roles.map { JSONWriter.quoted($0.name) })),
                ("issues", JSONWriter.list(issues)),
            ])
        }
    }

    extension JSONWriter {
        /// A list of values that are JSON already.
        static func list(_ values: [String]) -> String {
            "[" + values.joined(separator: ",") + "]"
        }
    }
#endif
