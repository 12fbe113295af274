#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopPresentation
    internal import Foundation

    /// Asks whether a user name is free; gives the name.
    nonisolated struct UserNameCheck: JSONEndpoint {
        struct Root: Decodable {
            let isAvailable: Bool
            let userName: String
        }

        /// The field of the form.
        static let field = "userName"
        /// The name of the calls that are made while somebody types.
        static let whileTyping = "name check"

        let userName: String
        /// Whether the person asked for it, and not the form by itself.
        let isSubmission: Bool
        let number: Int

        var name: String { isSubmission ? "sign up" : Self.whileTyping }

        func makeRequest() throws -> HTTP.Request {
            try HTTP.Request(
                .get, "isUserNameAvailable", queryItems: [URLQueryItem(name: "userName", value: userName)])
        }

        func content(from root: Root) throws -> String? {
            guard root.isAvailable else {
                throw UserNameTaken(userName: userName)
            }
            return root.userName
        }
    }

    /// Somebody else has the name.
    nonisolated struct UserNameTaken: FieldError {
        let userName: String
        var failureCode: String { "userNameTaken" }
        var field: String? { UserNameCheck.field }
    }

    /// What the service says when it does not take a name, or cannot: `{"error": true, "reason": "..."}`.
    nonisolated struct UserNameError: APIError {
        static let identifyingKeys = ["error", "reason"]
        let reason: String
        var failureCode: String { "userName" }
    }

    extension PresentationPolicy {
        /// How the failures of the form are presented; what it does not name is presented as anywhere.
        static func signUp(texts: PresentationTexts = .automatic) -> PresentationPolicy {
            PresentationPolicy(texts: texts) {
                // Nobody asked for this check, so nobody has to hear that it did not work.
                Present(.transport.or(.timeout)) { $0.name == UserNameCheck.whileTyping ? .ignore : nil }
                Present(error: UserNameTaken.self) { error, _ in
                    .inline(
                        field: UserNameCheck.field,
                        message: FailureMessage(
                            title: "Taken", text: "“\(error.userName)” is taken.",
                            suggestion: "Please choose another name."))
                }
                Present(error: UserNameError.self) { error, failure in
                    guard failure.statusCode == 400 else {
                        return nil
                    }
                    return .inline(
                        field: UserNameCheck.field,
                        message: FailureMessage(title: "Choose another name", text: error.reason, suggestion: nil))
                }
                Present(
                    .maintenance,
                    as: .fullScreen(
                        message: FailureMessage(
                            title: "Back in a moment", text: "We are improving the sign-up.", suggestion: nil)))
                Present(
                    .decoding,
                    as: .alert(
                        message: FailureMessage(
                            title: "Please update",
                            text: "This version of the app does not understand the server any more.",
                            suggestion: "Install the latest version, and sign up with it.")))
            }
        }
    }

    extension Client {
        /// The client of the sign-up service: the standard chain, in which each call is sent once. The presenter sends it
        /// again, where the server said when.
        static func signUp(
            baseURL: some HTTP.Target, transport: any HTTP.Transport = URLSessionTransport(),
            options: CallOptions = CallOptions()
        ) throws -> Client {
            try .standard(
                baseURL: baseURL, apiError: UserNameError.self, transport: transport, retry: RetryPolicy(attempts: 1),
                attemptTimeout: .seconds(10), logging: nil, options: options)
        }
    }
#endif
