import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting

extension CachePolicyTests {
    static let failures: [Stub<HTTP.Request, HTTP.Response>] = [
        .failure(TransportError(.offline)), .status(503), .graphQL(200, #"{"errors":[{"message":"Busy."}]}"#),
        .graphQL(200, #"{"data":7}"#), .graphQL(200, ""),
    ]

    /// Ways in which a service cannot be reached, or is out of order.
    static let outages: [(String, Stub<HTTP.Request, HTTP.Response>)] =
        [TransportError.Code.offline, .dns, .refused, .unreachable, .lost, .truncated].map {
            ("transport.\($0)", .failure(TransportError($0)))
        } + [500, 502, 503, 504, 522].map { ("status.\($0)", .status($0)) } + [
            ("timeout.attempt", .failure(TimeoutError(.attempt, after: .seconds(1)))),
            ("service.graphQL.errors", .graphQL(503, #"{"errors":[{"message":"Busy."}]}"#)),
            ("rejected.breakerOpen", .failure(RejectionError("breakerOpen", "Open."))),
            ("status.503", .json(503, #"{"errors":[{"message":"m","extensions":{"code":"MAINTENANCE"}}]}"#)),
            ("status.500", .json(500, #"{"errors":[{"message":"The author service is down."}]}"#)),
            (
                "service.graphQL.errors",
                .graphQL(500, #"{"errors":[{"message":"m","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#)
            ),
        ]

    /// How servers say that somebody is not signed in or not allowed, with statuses that say something else.
    static let refusingErrors = [
        #"{"message":"m","extensions":{"code":"UNAUTHENTICATED"}}"#,  // Apollo Server
        #"{"message":"m","extensions":{"code":"FORBIDDEN"}}"#,  // the same
        #"{"message":"m","path":["hero"],"extensions":{"code":"AUTH_NOT_AUTHENTICATED"}}"#,  // Hot Chocolate
        #"{"message":"m","path":["hero"],"extensions":{"code":"AUTH_NOT_AUTHORIZED"}}"#,  // the same
        #"{"message":"m","extensions":{"path":"$","code":"access-denied"}}"#,  // Hasura
        #"{"message":"m","extensions":{"path":"$","code":"invalid-jwt"}}"#,  // the same
        #"{"message":"m","extensions":{"code":"PERMISSION_DENIED"}}"#,
        #"{"message":"m","extensions":{"classification":"UNAUTHORIZED"}}"#,  // Spring for GraphQL
        #"{"message":"m","extensions":{"errorType":"UNAUTHENTICATED"}}"#,  // DGS
        #"{"message":"m","extensions":{"category":"authorization"}}"#,  // Lighthouse
        #"{"message":"m","extensions":{"http":{"status":401}}}"#,
        #"{"message":"m","extensions":{"statusCode":403}}"#,
        #"{"message":"m","extensions":{"code":401}}"#, #"{"message":"m","extensions":{"code":"403"}}"#,
        #"{"message":"m","extensions":{"code":"INTERNAL_SERVER_ERROR","originalError":{"statusCode":401}}}"#,  // NestJS
        #"{"message":"m","extensions":{"response":{"status":401}}}"#,
        #"{"message":"Unauthenticated."}"#, #"{"message":"unauthorized"}"#, #"{"message":"You are not authorized."}"#,
        // Apollo Server, of a plain Error.
        #"{"message":"Permission denied","extensions":{"code":"INTERNAL_SERVER_ERROR"}}"#,
        #"{"message":"You must be logged in"}"#,
        #"{"message":"Permission denied."}"#, #"{"message":"JWT expired"}"#, #"{"message":"You are not logged in"}"#,
    ]

    /// Ways in which a service refuses, and mistakes.
    static let refusals: [(String, Stub<HTTP.Request, HTTP.Response>)] =
        [400, 401, 403, 404, 410, 429, 501].map { ("status.\($0)", .status($0)) }
        + ["UNAUTHENTICATED", "FORBIDDEN", "OTHER"].map { code in
            let body = #"{"data":null,"errors":[{"message":"m","extensions":{"code":"\#(code)"}}]}"#
            return ("service.graphQL.errors", .graphQL(200, body))
        }
        + ["UNAUTHENTICATED", "FORBIDDEN", "GRAPHQL_VALIDATION_FAILED", "BAD_USER_INPUT"].map { code in
            let body = #"{"errors":[{"message":"m"},{"message":"m","extensions":{"code":"\#(code)"}}]}"#
            return ("service.graphQL.errors", .graphQL(503, body))
        }
        + [("status.500", .json(500, #"{"errors":[{"message":"m","extensions":{"code":"BAD_USER_INPUT"}}]}"#))]
        + refusingErrors.flatMap { error in
            [
                ("service.graphQL.errors", .graphQL(500, #"{"data":null,"errors":[\#(error)]}"#)),
                ("status.500", .json(500, #"{"errors":[\#(error)]}"#)),
                ("status.503", .json(503, #"{"errors":[{"message":"m"},\#(error)]}"#)),
            ]
        }
        + [TransportError.Code.tls, .certificate, .clientCertificate, .notAllowed, .badResponse, .tooLarge].map {
            ("transport.\($0)", .failure(TransportError($0)))
        } + [
            ("service.graphQL.missingData", .graphQL(200, "{}")), ("decoding", .graphQL(200, #"{"data":7}"#)),
            ("decoding", .json(200, "<html></html>", headers: ["Content-Type": "text/html"])),
            ("other", .failure(GateError())), ("rejected.limit", .failure(RejectionError("limit", "Full."))),
        ]

    private struct GateError: Error {}
}
