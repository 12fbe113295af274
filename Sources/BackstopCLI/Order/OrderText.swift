#if Demo
    internal import ArgumentParser
    internal import BackstopCore
    internal import BackstopGraphQL
    internal import BackstopResilience

    /// A chain as `backstop order` reads it: `deadline(5s), retry(attempts: 5, cap: 20s), custom(tenant)`.
    struct OrderText {
        /// The interceptors, outermost first.
        let profiles: [InterceptorProfile]

        /// What each role may be told; the first may be left unnamed.
        static let settings: [String: [String]] = [
            "deadline": ["limit"], "attemptTimeout": ["limit"],
            "retry": ["attempts", "base", "cap", "jitter", "rejections"],
            "hedging": ["attempts", "unsafe"], "circuitBreaker": ["window"], "rateLimiter": ["wait"],
            "bulkhead": ["wait"], "connectivity": ["wait"],
        ]

        init(_ text: String) throws {
            profiles = try Self.parts(of: text).map(Self.profile)
            guard !profiles.isEmpty else {
                throw ValidationError("Name at least one role.")
            }
        }

        /// The parts between commas that are not in parentheses.
        private static func parts(of text: String) throws -> [String] {
            var parts = [""]
            var depth = 0
            for character in text where (0...1).contains(depth) {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
                if character == ",", depth == 0 {
                    parts.append("")
                } else {
                    parts[parts.count - 1].append(character)
                }
            }
            guard depth == 0 else {
                throw ValidationError("The parentheses in \"\(text)\" do not match.")
            }
            return parts.map { $0.trimmed }.filter { !$0.isEmpty }
        }

        private static func profile(_ text: String) throws -> InterceptorProfile {
            let name = String(text.prefix { $0 != "(" }).trimmed
            let inside = text.hasSuffix(")") ? String(text.drop { $0 != "(" }.dropFirst().dropLast()).trimmed : nil
            if name == "custom", let own = inside, !own.isEmpty {
                return InterceptorProfile(role: .custom(own))
            }
            guard inside != nil || !text.contains("("), let role = role(name) else {
                throw ValidationError(
                    "There is no role \"\(text)\". The roles are: "
                        + Role.graphQLOrder.map(\.name).joined(separator: ", ")
                        + ". Write a role of your own as custom(name).")
            }
            return InterceptorProfile(role: role, settings: try settings(inside ?? "", of: role))
        }

        /// The interceptors whose roles have another name.
        private static let interceptors: [String: Role] = [
            "BearerAuthentication": .authentication, "ConnectivityCheck": .connectivity, "RequestLogging": .logging,
            "ResponseCache": .cache, "RequestTracing": .tracing,
        ]

        /// The role with this name, or that of the interceptor with this name.
        private static func role(_ name: String) -> Role? {
            interceptors[name] ?? Role.graphQLOrder.withResilience.first { $0.name == name || $0.title == name }
        }

        private static func settings(_ text: String, of role: Role) throws -> [InterceptorSetting] {
            var given: [String: String] = [:]
            let known = settings[role.name] ?? []
            for part in text.split(separator: ",") {
                let sides = part.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
                let name = sides.count == 2 ? sides[0] : given.isEmpty ? known.first ?? "" : ""
                guard known.contains(name), let value = sides.last, given[name] == nil else {
                    throw ValidationError(
                        known.isEmpty
                            ? "\(role) has no settings here; leave out \"(\(text))\"."
                            : "\(role) cannot be told \"\(String(part).trimmed)\". It can be told, once each: "
                                + known.joined(separator: ", ") + ".")
                }
                given[name] = value
            }
            return try settings(Given(role: role, values: given))
        }

        private static func settings(_ given: Given) throws -> [InterceptorSetting] {
            switch given.role {
            case .retry:
                // Whatever can be calculated comes from the interceptor itself.
                let base = try given.duration("base") ?? .milliseconds(500)
                let backoff = try Backoff(
                    baseDelay: base, maximumDelay: given.duration("cap") ?? max(.seconds(20), base),
                    jitter: given.flag("jitter") ?? true ? .full : .none)
                let attempts = try given.count("attempts") ?? 3
                let retriesRejections = try given.flag("rejections") ?? false
                let policy = try RetryPolicy(
                    attempts: attempts, backoff: backoff,
                    isRetryable: { retriesRejections ? $0.isTransient : $0.isRetryable })
                return Retry<UnsentRequest, String>(policy).settings
            default:
                let limit = try given.duration("limit").map(InterceptorSetting.timeLimit)
                let wait = try given.duration("wait").map(InterceptorSetting.longestWait)
                let window = try given.duration("window").map(InterceptorSetting.window)
                let attempts = try given.count("attempts").map(InterceptorSetting.attempts)
                let unsafe = try given.flag("unsafe").map(InterceptorSetting.repeatsUnsafeRequests)
                let refusal: InterceptorSetting? =
                    given.role.name == "rateLimiter"
                    ? .rejects(with: RejectionError(.rateLimit, "the rate is used up")) : nil
                return [limit, wait, window, attempts, unsafe, refusal].compactMap { $0 }
            }
        }

        /// The settings of one role, as they were written.
        private struct Given {
            let role: Role
            let values: [String: String]

            func count(_ name: String) throws -> Int? {
                try value(name, as: "a number, such as 3") { Int($0) }
            }

            func flag(_ name: String) throws -> Bool? {
                try value(name, as: "true or false") { Bool($0) }
            }

            func duration(_ name: String) throws -> Duration? {
                try value(name, as: "a time, such as 300ms, 5s, 2min or 1h") { text in
                    let unit = String(text.drop { $0.isNumber || $0 == "." }).trimmed
                    let scales = ["ms": 0.001, "s": 1, "min": 60, "h": 3600]
                    guard let scale = scales[unit], let number = Double(text.dropLast(unit.count).filter { $0 != " " }),
                        number * scale < 1e9
                    else {
                        return nil
                    }
                    return .seconds(number * scale)
                }
            }

            private func value<Value>(_ name: String, as kind: String, _ read: (String) -> Value?) throws -> Value? {
                guard let text = values[name] else {
                    return nil
                }
                guard let value = read(text) else {
                    throw ValidationError("\(name) of \(role) must be \(kind), but is \"\(text)\".")
                }
                return value
            }
        }
    }

    extension String {
        /// Without spaces at both ends.
        fileprivate var trimmed: String {
            String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }
#endif
