import Backstop
import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A failure about several fields", .limited)
@MainActor
struct FieldTests {
    /// RFC 9457, 3.
    private static let rfc = ##"""
        {"type":"https://example.net/validation-error","title":"Your request is not valid.","errors":[
        {"detail":"must be a positive integer","pointer":"#/age"},
        {"detail":"must be 'green', 'red' or 'blue'","pointer":"#/profile/color"}]}
        """##
    private static let aspNet = """
        {"title":"One or more validation errors occurred.","status":400,
        "errors":{"Age":["The field Age must be between 1 and 120."],"Profile.Color":["Not a color.","Too long."]}}
        """

    private struct LaravelError: APIError, FieldError {
        static let identifyingKeys = ["message", "errors"]
        let message: String
        let errors: JSONValue
        var field: String? { nil }
        var fieldDetails: [FieldDetail] { FieldDetail.all(in: errors) }
    }

    private func failure(_ body: String, status: Int = 422) async throws -> Failure {
        let transport = ScriptedTransport(.json(status, body, headers: ["Content-Type": "application/problem+json"]))
        let client = try Client.standard(
            baseURL: "https://shop.example.com", transport: transport, retry: .never, logging: nil)
        return try #require(await #expect(throws: Failure.self) { try await client.post("orders", json: ["age": -1]) })
    }

    private func presenter(_ policy: PresentationPolicy, fields: String?...) -> FailurePresenter {
        let presenter = FailurePresenter(policy: policy)
        fields.forEach { presenter.beginInline($0) }
        return presenter
    }

    private let plain = PresentationPolicy(texts: .english)
    private let detailed = PresentationPolicy(texts: .english) {
        Present(error: ProblemDetails.self, as: .inline(showsDetails: true))
    }

    @Test("arrives at each of them, in our words unless the app says that the service's are for people")
    func arrives() async throws {
        let failure = try await failure(Self.rfc)
        // when
        let neutral = presenter(plain, fields: "age", "profile/color")
        let own = presenter(detailed, fields: "age", "profile/color")
        #expect(neutral.present(failure) && own.present(failure))
        // then
        #expect(neutral.state.inline("age")?.presentation.message.text == "Some of the information was not accepted.")
        #expect(neutral.state.inlines.count == 2 && neutral.state.modals.isEmpty)
        #expect(own.state.inline("age")?.presentation.message.text == "must be a positive integer.")
        #expect(
            own.state.inline("profile/color")?.presentation.message.text == "must be 'green', 'red' or 'blue'.")
    }

    @Test("arrives through a handler, which counts as handled")
    func handled() async throws {
        let presenter = presenter(detailed, fields: "age", "profile/color")
        #expect(await presenter.handle(try await failure(Self.rfc)) == .handled)
        #expect(presenter.state.inlines.count == 2)
    }

    @Test("leaves the words of the last submission at the form, also when they were there before")
    func lastSubmission() async throws {
        let presenter = presenter(detailed, fields: nil)
        let one = ##"{"type":"about:blank","title":"Bad.","errors":[{"detail":"must be new","pointer":"#/age"}]}"##
        for body in [Self.rfc, one, Self.rfc] {
            #expect(presenter.present(try await failure(body)))
        }
        #expect(presenter.state.inlines.count == 1)
        let text = presenter.state.inline(nil)?.presentation.message.text
        #expect(text?.contains("must be a positive integer") == true && text?.contains("'green'") == true)
    }

    @Test("replaces what the call before was refused for, also at other fields and where no view shows the new one")
    func otherFields() async throws {
        let presenter = presenter(detailed, fields: "age", "profile/color", "name")
        let name = ##"{"type":"about:blank","title":"Bad.","errors":[{"detail":"is taken","pointer":"#/name"}]}"##
        presenter.present(try await failure(Self.rfc))
        presenter.present(try await failure(name))
        #expect(presenter.state.inlines.map(\.presentation.field) == ["name"])

        presenter.present(try await failure(name.replacingOccurrences(of: "name", with: "zip")))
        #expect(presenter.state.inlines.isEmpty && presenter.state.modals.count == 1)
    }

    @Test("leaves what is about the input while a call fails for another reason, or is an earlier or another one")
    func otherReasons() async throws {
        let presenter = presenter(plain, fields: "age", "profile/color")
        let earlier = try await failure(#"{"title":"Bad.","errors":{"age":["Too old."]}}"#)
        presenter.present(try await failure(Self.rfc))
        presenter.present(try await failure(#"{"title":"Down."}"#, status: 500))
        presenter.present(Failure(StatusError(422), name: "another"))
        #expect(presenter.state.inlines.map(\.presentation.field) == ["age", "profile/color"])

        presenter.present(earlier)
        #expect(presenter.state.inline("profile/color") != nil)
    }

    @Test("arrives in the shape of ASP.NET, whatever the case of the names")
    func aspNet() async throws {
        let presenter = presenter(detailed, fields: "age", "profile.color")
        presenter.present(try await failure(Self.aspNet, status: 400))
        #expect(
            presenter.state.inline("age")?.presentation.message.text == "The field Age must be between 1 and 120.")
        #expect(presenter.state.inline("profile.color")?.presentation.message.text == "Not a color. Too long.")
    }

    @Test("arrives in the shape of Laravel")
    func laravel() async throws {
        // given
        let body = #"{"message":"The given data was invalid.","errors":{"age":["A number."],"name":["Needed."]}}"#
        let client = try Client.standard(
            baseURL: "https://shop.example.com", apiError: LaravelError.self,
            transport: ScriptedTransport(.json(422, body)), logging: nil)
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.post("orders", json: ["age": -1]) })
        let policy = PresentationPolicy(texts: .english) {
            Present(error: LaravelError.self, as: .inline(showsDetails: true))
        }
        // when
        let presenter = presenter(policy, fields: "age", "name")
        presenter.present(failure)
        // then
        #expect(presenter.state.inlines.map(\.presentation.field) == ["age", "name"])
        #expect(presenter.state.inlines.map(\.presentation.message.text) == ["A number.", "Needed."])
    }

    /// Both messages about one field, in the shapes of RFC 9457, of Laravel, and of ASP.NET, whose reader of JSON and whose
    /// model write the name differently.
    private nonisolated static let twice = [
        ##"""
        {"type":"about:blank","title":"Bad.","errors":[
        {"detail":"is taken","pointer":"#/email"},{"detail":"is too short","pointer":"#/email"}]}
        """##,
        ##"{"title":"Bad.","errors":{"email":["is taken","is too short"]}}"##,
        ##"{"title":"Bad.","errors":{"$.email":["is taken"],"Email":["is too short"]}}"##,
    ]

    @Test("has all messages about one field at that field", arguments: twice)
    func several(body: String) async throws {
        let presenter = presenter(detailed, fields: "email", nil)
        #expect(presenter.present(try await failure(body)))
        #expect(presenter.state.inlines.map(\.presentation.field) == ["email"])
        #expect(presenter.state.inline("email")?.presentation.message.text == "is taken. is too short.")
    }

    @Test("has all messages about one field at that field, of an error of the app's as well")
    func severalOfOwn() {
        struct Invalid: FieldError {
            var field: String? { nil }
            let fieldDetails = [
                FieldDetail("email", detail: "Taken."), FieldDetail("age"), FieldDetail("email", detail: "Too short."),
            ]
        }
        let policy = PresentationPolicy(texts: .english) {
            Present(error: Invalid.self, as: .inline(showsDetails: true))
        }
        let presenter = presenter(policy, fields: "email", "age")
        #expect(presenter.present(Failure(Invalid())))
        #expect(presenter.state.inlines.count == 2)
        #expect(presenter.state.inline("email")?.presentation.message.text == "Taken. Too short.")
    }

    @Test("is one message, at the form or as an alert, for the fields that no view shows")
    func rest() async throws {
        let failure = try await failure(Self.rfc)
        let form = presenter(detailed, fields: "age", nil)
        form.present(failure)
        #expect(form.state.inline(nil)?.presentation.message.text == "must be 'green', 'red' or 'blue'.")
        #expect(form.state.inline("age") != nil)
        let nowhere = presenter(plain)
        nowhere.present(failure)
        #expect(nowhere.state.modals.map(\.presentation.message.text) == ["Some of the information was not accepted."])
    }

    @Test("leaves fields alone that the service says nothing about, and says the rest once")
    func silence() async throws {
        let body = """
            {"title":"t","errors":{"email":null,"age":[],"ok":false,"zip":"","city":" ","street":[null,false,""," "],"o":{},
            "name":["  ","is too short","is too short",null,"Needed!"],"terms":true,"items":[{"n":1}]}}
            """
        let failure = try await failure(body)
        let presentations = detailed.presentations(of: failure)
        #expect(presentations.map(\.field) == ["items", "name", "terms"])
        #expect(presentations[1].message.text == "is too short. Needed!")
        #expect(presentations[2].message.text == "Some of the information was not accepted.")
        let twice =
            ##"[{"pointer":"#/a","detail":"one"},{"pointer":"/A","detail":"one"},{"pointer":"#/b","detail":" "}]"##
        let list = try JSONDecoder().decode(JSONValue.self, from: Data(twice.utf8))
        #expect(FieldDetail.all(in: list) == [FieldDetail("a", detail: "one."), FieldDetail("b")])
    }

    @Test("is about fields whose names are cut, since a service may choose names of any length")
    func longNames() {
        let long = String(repeating: "e\u{301}", count: 800_000)
        let errors: [JSONValue] = [[["pointer": .string("#/" + long)]], .object([long: "d"])]
        for errors in errors {
            let fields = FieldDetail.all(in: errors).map(\.field)
            #expect(fields.count == 1 && fields.allSatisfy { $0.unicodeScalars.count <= 1000 && long.hasPrefix($0) })
            let failure = Failure(LaravelError(message: "m", errors: errors))
            let time = cpuTime { _ = plain.presentations(of: failure) }
            #expect(time < .milliseconds(500), "\(time)")
        }
    }

    @Test("is bounded, and of any other shape about no field")
    func bounded() throws {
        let long = JSONValue.string(String(repeating: "x", count: 20_000))
        let list = JSONValue.array((0..<10_000).map { .object(["pointer": .string("#/f\($0)"), "detail": long]) })
        let sentences = JSONValue.object(["a": .array((0..<1000).map { .string("s\($0)") })])
        #expect(FieldDetail.all(in: list).count == 100)
        #expect(FieldDetail.all(in: sentences).first?.detail == "s0. s1. s2. s3. s4.")
        let odd: [JSONValue?] = [
            [], [:], 7, ["": ["x"]], ["$": ["x"]], [1, .null, [:]], [["pointer": "#"]], [["detail": "x"]], nil,
            ["a": .null], ["a": false], ["a": []], ["a": [.null]], ["a": [""]],
        ]
        for errors in odd {
            #expect(FieldDetail.all(in: errors).isEmpty)
        }
        let last = (0..<30).map { ("\($0)", JSONValue.null) } + [("z", "wrong")]
        #expect(FieldDetail.all(in: .object(.init(uniqueKeysWithValues: last))) == [FieldDetail("z", detail: "wrong.")])
        #expect(FieldDetail.all(in: ["$.age": ["x"]]).map(\.field) == ["age"])
    }
}
