import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Which responses are read as GraphQL", .limited)
struct ResponseRuleTests {
    /// What is to become of a body that is read as GraphQL.
    enum Reading: Sendable {
        case value(String?, errors: [String] = [])
        case failure(String, errors: [String] = [])
    }

    struct Body: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let reading: Reading
        /// The errors that can be read in it, whatever the status is.
        var errors: [String] = []

        var testDescription: String { name }
    }

    static let bodies = [
        Body(name: "data", text: #"{"data":{"hero":{"name":"Luke"}}}"#, reading: .value("Luke")),
        Body(
            name: "data and an empty list of errors", text: #"{"errors":[],"data":{"hero":{"name":"Luke"}}}"#,
            reading: .value("Luke")),
        Body(
            name: "data and errors that are null", text: #"{"data":{"hero":null},"errors":null}"#,
            reading: .value(nil)),
        Body(
            name: "data, extensions and unknown keys",
            text: #"{"data":{"hero":{"name":"Luke"}},"extensions":{"cost":4294967296},"hasNext":false,"x":[1]}"#,
            reading: .value("Luke")),
        Body(
            name: "data and errors", text: #"{"errors":[{"message":"a"},{"message":"b"}],"data":{"hero":null}}"#,
            reading: .value(nil, errors: ["a", "b"]), errors: ["a", "b"]),
        Body(
            name: "data that is null, and errors", text: #"{"data":null,"errors":[{"message":"a"}]}"#,
            reading: .failure("service.graphQL.errors", errors: ["a"]), errors: ["a"]),
        Body(
            name: "errors alone", text: #"{"errors":[{"message":"a"}]}"#,
            reading: .failure("service.graphQL.errors", errors: ["a"]), errors: ["a"]),
        Body(name: "no members", text: "{}", reading: .failure("service.graphQL.missingData")),
        Body(
            name: "data that is null alone", text: #"{"data":null}"#, reading: .failure("service.graphQL.missingData")),
        Body(
            name: "an empty list of errors alone", text: #"{"errors":[]}"#,
            reading: .failure("service.graphQL.missingData")),
        Body(name: "data that does not fit", text: #"{"data":{"hero":{"name":7}}}"#, reading: .failure("decoding")),
        Body(name: "data that is a text", text: #"{"data":"none"}"#, reading: .failure("decoding")),
        Body(
            name: "data that does not fit, and errors", text: #"{"data":{"hero":7},"errors":[{"message":"a"}]}"#,
            reading: .failure("decoding", errors: ["a"]), errors: ["a"]),
        Body(name: "a list", text: "[1,2]", reading: .failure("decoding")),
        Body(name: "a text in JSON", text: #""ok""#, reading: .failure("decoding")),
        Body(name: "null", text: "null", reading: .failure("decoding")),
        Body(name: "no JSON", text: "upstream is not available", reading: .failure("decoding")),
        Body(name: "a page", text: "<!doctype html><title>Sign in</title>", reading: .failure("decoding")),
        Body(name: "no bytes", text: "", reading: .failure("decoding")),
        Body(name: "cut JSON", text: #"{"data":{"hero":{"na"#, reading: .failure("decoding")),
    ]

    static let statuses = [200, 201, 203, 206, 294, 299, 302, 304, 400, 401, 403, 404, 405, 422, 429, 500, 502, 503]

    @Test("GraphQL's own media type: the body decides, whatever the status is", arguments: bodies, statuses)
    func ownMediaType(body: Body, status: Int) async throws {
        for type in ["application/graphql-response+json", "Application/GraphQL-Response+JSON; charset=utf-8"] {
            try await expect(body.reading, of: body, type, status)
        }
    }

    @Test("application/json with 2xx: the body decides", arguments: bodies, statuses.filter { $0 < 300 })
    func jsonWithSuccess(body: Body, status: Int) async throws {
        try await expect(body.reading, of: body, "application/json", status)
    }

    @Test("application/json with any other status: the status decides", arguments: bodies, statuses.filter { $0 > 299 })
    func jsonWithoutSuccess(body: Body, status: Int) async throws {
        try await expect(.failure("status.\(status)", errors: body.errors), of: body, "application/json", status)
    }

    private func expect(_ reading: Reading, of body: Body, _ type: String, _ status: Int) async throws {
        for hasInterceptors in [true, false] {
            // given: with interceptors or without, the rule is the same
            let transport = ScriptedTransport(.json(status, body.text, headers: ["Content-Type": type]))
            let client = try makeClient(transport) {
                if hasInterceptors {
                    Decoding()
                    StatusValidation()
                }
            }
            // when
            let result: Result<GraphQL.Result<HeroName.Data>, Failure>
            do throws(Failure) {
                result = .success(try await client.fetch(HeroName()))
            } catch {
                result = .failure(error)
            }
            // then
            switch (reading, result) {
            case (.value(let name, let errors), .success(let value)):
                #expect(value.data.hero?.name == name)
                #expect(value.errors.map(\.message) == errors)
                #expect(value.isPartial == !errors.isEmpty)
                #expect(value.response.status == status)
            case (.failure(let code, let errors), .failure(let failure)):
                #expect(failure.code == code)
                #expect(failure.graphQLErrors.map(\.message) == errors)
                #expect(failure.response?.status == status)
                #expect(failure.response?.body.count == body.text.utf8.count)
            case (_, .success(let value)):
                Issue.record("a value instead of a failure: \(value.data)")
            case (_, .failure(let failure)):
                Issue.record("a failure instead of a value: \(failure)")
            }
        }
    }

    @Test("every case of GraphQLFailure is told by its case and its code")
    func cases() async throws {
        let table: [(body: String, strict: Bool, code: String)] = [
            (#"{"errors":[{"message":"a"}]}"#, false, "graphQL.errors"),
            (#"{"data":{},"errors":[{"message":"a"}]}"#, true, "graphQL.partialData"),
            (#"{"data":7}"#, false, "graphQL.decodingError"),
            ("7", false, "graphQL.invalidData"),
            ("{}", false, "graphQL.missingData"),
        ]
        for row in table {
            // given
            let client = try makeClient(ScriptedTransport(.graphQL(200, row.body)))
            // when
            let failure = await failure { () async throws(Failure) in
                try await client.fetch(
                    HeroName(), options: client.graphQLOptions.changing { $0.failsOnPartialData = row.strict })
            }
            // then
            #expect(failure?.graphQL?.failureCode == row.code)
            #expect(failure?.error(as: GraphQLFailure.self)?.failureCode == row.code)
        }
    }

    @Test("data that is null with errors is a failure also for data that anything fits", arguments: [false, true])
    func nullForAnything(isStrict: Bool) async throws {
        // given
        let body = #"{"data":null,"errors":[{"message":"No reviews today."}]}"#
        let client = try makeClient(ScriptedTransport(.graphQL(200, body)))
        // when
        let failure = await failure { () async throws(Failure) in
            try await client.fetch(
                CreateReview(), options: client.graphQLOptions.changing { $0.failsOnPartialData = isStrict })
        }
        // then
        #expect(failure?.code == "service.graphQL.errors")
        #expect(failure?.graphQLErrors.map(\.message) == ["No reviews today."])
    }

    @Test("data that is null without errors is missing also for data that anything fits")
    func missingForAnything() async throws {
        let client = try makeClient(ScriptedTransport(.graphQL(200, #"{"data":null}"#)))
        let failure = await failure { () async throws(Failure) in try await client.fetch(CreateReview()) }
        #expect(failure?.code == "service.graphQL.missingData")
    }
}
