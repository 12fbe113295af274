import BackstopPresentation

@MainActor
final class Shop {
    let session = Session()
    let presenter: FailurePresenter
    private let anonymous: Client

    init(
        transport: any HTTP.Transport = URLSessionTransport(), options: CallOptions = CallOptions(),
        clock: any CallClock = SystemClock(), texts: PresentationTexts = .automatic
    ) throws {
        let session = session
        let signIn = PresentationAction("signIn", title: "Sign In") { await session.signIn() ? .retry : .handled }
        let policy = PresentationPolicy(texts: texts) {
            Present(status: 401, as: .alert(actions: [signIn, .dismiss]))
            Present(.any) { failure in failure.name == "recommendations" ? .ignore : nil }
        }
        let presenter = FailurePresenter(policy: policy, clock: clock)
        self.presenter = presenter
        anonymous = try Client.standard(
            baseURL: "https://shop.example.com/api", apiError: ShopError.self, transport: transport,
            authentication: SessionToken(session: session), deadline: .seconds(60), options: options
        ).withOptions { $0.observers.append(presenter) }
    }

    /// A client for whoever is signed in now. A screen takes one when it is made, and is made again for another account.
    var client: Client {
        anonymous.withOptions { $0.values.account = session.account }
    }

    /// Once, when the app starts.
    func registerDefaults() throws {
        try DefaultHandlers.register { presenter }
    }

    func signOut() {
        (session.account, session.token) = (nil, nil)
        presenter.removeAll()  // what waits is of the account that was signed in
    }
}
