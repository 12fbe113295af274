internal import Backstop
internal import BackstopCore

/// Failures that do not depend on the caller or the request: the service cannot be reached, or is out of order.
enum Outage {
    /// Whether an older response may replace one that failed in this way.
    ///
    /// A refusal by the service, such as 401, 403 or UNAUTHENTICATED, is never replaced: the stored response may be
    /// just what it refuses now; a faulty request neither. Some servers say so with a 5xx status.
    static func isMeant(by error: any Error, _ context: CallContext) -> Bool {
        let response = context.receivedResponse as? HTTP.Response
        switch Failure.Reason(classifying: error) {
        case .transport(let error):
            return error.code.isTransient
        case .timeout:
            return true
        case .status(let error):
            let errors = (error.response as? HTTP.Response ?? response).map(ResponseRule.errors) ?? []
            return isMeant(byStatus: error.code) && !errors.contains { $0.isRefusal || $0.isMistake }
        case .service(let error):
            let errors = (error as? GraphQLFailure)?.errors ?? []
            return isMeant(byStatus: response?.status ?? 200) && !errors.contains { $0.isRefusal || $0.isMistake }
        case .rejected(let error):
            // The breaker opened because of outages; the service that issues tokens may have one.
            return error.code == .breakerOpen || error.code == .tokenRefresh && error.isTransient
        case .cancelled, .request, .decoding, .storage, .other:
            return false
        }
    }

    private static func isMeant(byStatus status: Int) -> Bool {
        switch status {
        case 500: true  // it failed
        case 502, 504: true  // a proxy got no response
        case 503: true  // it says so
        case 520...530: true  // a content delivery network got no response
        default: false  // 501, 505 and the like are about the request
        }
    }
}

extension GraphQL.Error {
    /// Whether it says that the caller is not signed in, or not allowed.
    ///
    /// There is no common way to say so: servers have their own codes, in their own members, or only a message.
    /// Detecting one refusal too many costs a response from the cache; missing one gives a response to someone who must
    /// not have it.
    var isRefusal: Bool {
        let members = extensions.members.merging(otherMembers.members) { extended, _ in extended }
        let places = [.object(members)] + ["http", "response", "originalError"].compactMap { members[$0] }
        let statuses = places.flatMap { place in ["status", "statusCode", "code"].compactMap { place[$0] } }
        if statuses.contains(where: { [401, 403].contains($0.int ?? $0.string.flatMap(Int64.init)) }) {
            return true
        }
        // INTERNAL_SERVER_ERROR is what Apollo Server says of any error that the app throws.
        let codes = Self.placesOfCodes.compactMap { members[$0]?.string }
            .filter { !$0.lowercased().hasPrefix("internal") }
        // A message is for people; it counts only if there is nothing for machines.
        return (codes.isEmpty ? [message] : codes).contains(where: Self.refuses)
    }

    /// Whether it says that the request is wrong, with whatever status. The codes are Apollo Server's.
    var isMistake: Bool {
        switch code {
        case "BAD_USER_INPUT", "BAD_REQUEST", "GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED",
            "OPERATION_RESOLUTION_FAILURE":
            true
        default: false
        }
    }

    private static let placesOfCodes = [
        "type",  // GitHub, beside the extensions
        "code",  // Apollo Server, Hot Chocolate, Hasura, Yoga
        "classification",  // Spring for GraphQL, graphql-java
        "errorType",  // DGS
        "category",  // Lighthouse
    ]

    /// The beginnings of names of refusals, in lower case, without separators.
    private static let wordsOfRefusal = [
        "unauth",  // UNAUTHENTICATED, unauthorized
        "authenticat",  // authentication required, AUTH_NOT_AUTHENTICATED
        "authoriz", "authoris",  // not authorized, AUTH_NOT_AUTHORIZED, authorization
        "forbidden", "accessdenied", "permission",  // PERMISSION_DENIED, insufficient permissions
        "jwt", "credential", "signedin", "signin", "loggedin", "login",
    ]

    private static func refuses(_ text: String) -> Bool {
        let letters = String(text.prefix(1000).lowercased().filter { $0.isLetter })
        return wordsOfRefusal.contains { letters.contains($0) }
    }
}
