import BackstopAuthentication
import BackstopPresentation

@MainActor
final class Shop {
    let session: Session
    let presenter: FailurePresenter
    private let anonymous: Client

    init(
        store: (any TokenStore)? = nil, transport: (any HTTP.Transport)? = nil,
        options: CallOptions = CallOptions(), clock: any CallClock = SystemClock(),
        texts: PresentationTexts = .automatic
    ) throws {
        let address = "https://shop.example.com/api"
        // Without redirects: 307 and 308 would take the refresh token to where they lead.
        let login = try Client.standard(
            baseURL: address, apiError: OAuthError.self,
            transport: transport ?? URLSessionTransport(maximumRedirects: 0), options: options)
        let bearer = try BearerAuthentication.oauth(
            tokenURL: "\(address)/token", clientID: "shop-app", store: store, login: login)
        let credentials = bearer.credentials
        let session = Session(credentials)
        self.session = session
        let signIn = PresentationAction("signIn", title: "Sign In") {
            guard let tokens = await session.signIn() else { return .handled }
            try? await credentials.signIn(tokens)  // in use, even if they could not be saved
            return .retry
        }
        let policy = PresentationPolicy(texts: texts) {
            Present(status: 401, as: .alert(actions: [signIn, .dismiss]))
            Present(.any) { failure in failure.name == "recommendations" ? .ignore : nil }
        }
        let presenter = FailurePresenter(policy: policy, clock: clock)
        self.presenter = presenter
        anonymous = try Client.standard(
            baseURL: address, apiError: ShopError.self, transport: transport ?? URLSessionTransport(),
            authentication: bearer, deadline: .seconds(60), options: options
        ).withOptions { $0.observers.append(presenter) }
    }

    /// A client for whoever is signed in now. A screen takes one when it is made, and is made again for another account.
    var client: Client {
        anonymous.withOptions { $0.values.account = session.credentials.account }
    }

    /// Once, when the app starts.
    func registerDefaults() throws {
        try DefaultHandlers.register { presenter }
    }

    func signOut() async throws {
        presenter.removeAll()  // what waits is of the account that was signed in
        try await session.credentials.signOut()
    }
}
