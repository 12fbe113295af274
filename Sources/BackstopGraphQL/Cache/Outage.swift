internal import Backstop
internal import BackstopCore

/// Failures that say nothing about who asks and what for: the service cannot be reached, or is out of order.
enum Outage {
    /// Whether an older answer may stand in for the one that failed in this way.
    ///
    /// An answer of the service's own, such as 401, 403 or UNAUTHENTICATED, is never passed over: what was kept may be
    /// just what it refuses now. Servers say so with statuses of 5xx as well.
    static func isMeant(by error: any Error, _ context: CallContext) -> Bool {
        let response = context.receivedResponse as? HTTP.Response
        switch Failure.Reason(classifying: error) {
        case .transport(let error):
            return error.code.isTransient
        case .timeout:
            return true
        case .status(let error):
            let errors = (error.response as? HTTP.Response ?? response).map(ResponseRule.errors) ?? []
            return isMeant(byStatus: error.code) && !errors.contains(where: \.isRefusal)
        case .service(let error):
            let errors = (error as? GraphQLFailure)?.errors ?? []
            return isMeant(byStatus: response?.status ?? 200) && !errors.contains(where: \.isRefusal)
        case .rejected(let error):
            return error.code == .breakerOpen  // the breaker opened because of outages
        case .cancelled, .request, .decoding, .other:
            return false
        }
    }

    private static func isMeant(byStatus status: Int) -> Bool {
        switch status {
        case 500: true  // it tripped
        case 502, 504: true  // what stands before it gets no answer
        case 503: true  // it says so
        case 520...530: true  // a content delivery network gets no answer
        default: false  // 501, 505 and the like are about the request
        }
    }
}

extension GraphQL.Error {
    /// Whether it says that somebody is not signed in, or not allowed.
    ///
    /// There is no common way to say it: servers have codes of their own, in members of their own, or a message alone.
    /// One refusal too many costs an answer from the cache, one too few gives an answer to somebody who must not have
    /// it.
    fileprivate var isRefusal: Bool {
        let members = extensions.members
        let statuses = [members["status"], members["statusCode"], members["http"]?["status"]]
        if statuses.contains(where: { $0?.int == 401 || $0?.int == 403 }) {
            return true
        }
        let codes = Self.placesOfCodes.compactMap { members[$0]?.string }
        // A message is for people; it counts where nothing is there for machines.
        return (codes.isEmpty ? [message] : codes).contains(where: Self.refuses)
    }

    private static let placesOfCodes = [
        "code",  // Apollo Server, Hot Chocolate, Hasura, Yoga
        "classification",  // Spring for GraphQL, graphql-java
        "errorType",  // DGS
        "category",  // Lighthouse
    ]

    /// The beginnings of what refusals are called, in lower case, without what separates words.
    private static let wordsOfRefusal = [
        "unauth",  // UNAUTHENTICATED, unauthorized
        "authenticat",  // authentication required, AUTH_NOT_AUTHENTICATED
        "authoriz", "authoris",  // not authorized, AUTH_NOT_AUTHORIZED, authorization
        "forbidden", "accessdenied", "permission",  // PERMISSION_DENIED, insufficient permissions
        "jwt", "credential", "notsignedin", "signin", "notloggedin", "login",
    ]

    private static func refuses(_ text: String) -> Bool {
        let letters = String(text.prefix(1000).lowercased().filter { $0.isLetter })
        return wordsOfRefusal.contains { letters.contains($0) }
    }
}
