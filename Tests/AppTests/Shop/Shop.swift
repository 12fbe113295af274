import BackstopPresentation

@MainActor
final class Shop {
    let session: Session
    let presenter: FailurePresenter
    private let anonymous: Client

    init(
        store: (any TokenStore)? = nil, transport: any HTTP.Transport = URLSessionTransport(),
        options: CallOptions = CallOptions(), clock: any CallClock = SystemClock(),
        texts: PresentationTexts = .automatic
    ) throws {
        let address = "https://shop.example.com/api"
        let login = try Client.standard(
            baseURL: address, apiError: ShopError.self, transport: transport, deadline: .seconds(30), options: options)
        let credentials = try Credentials(store: store) { try await Self.refresh($0, login) }
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
            baseURL: address, apiError: ShopError.self, transport: transport,
            authentication: BearerAuthentication(credentials), deadline: .seconds(60), options: options
        ).withOptions { $0.observers.append(presenter) }
    }

    /// New tokens for old ones; nil when the person has to sign in again.
    private nonisolated static func refresh(_ old: TokenSet, _ login: Client) async throws -> TokenSet? {
        do throws(Failure) {
            let new = try await login.post("token", json: ["refresh": old.refresh], as: IssuedTokens.self)
            return TokenSet(access: new.access, refresh: new.refresh, lifetime: .seconds(new.lifetime))
        } catch {
            guard error.statusCode == 400 else { throw error }
            return nil
        }
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
