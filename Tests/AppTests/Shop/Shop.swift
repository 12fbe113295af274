import BackstopPresentation

@MainActor
final class Shop {
    let session = Session()
    let presenter: FailurePresenter
    let client: Client

    init(
        transport: any HTTP.Transport = URLSessionTransport(), options: CallOptions = CallOptions(),
        texts: PresentationTexts = .automatic
    ) throws {
        let session = session
        let signIn = PresentationAction("signIn", title: "Sign In") { await session.signIn() ? .retry : .handled }
        let policy = PresentationPolicy(texts: texts) {
            Present(status: 401, as: .alert(actions: [signIn, .dismiss]))
            Present(.any) { failure in failure.name == "recommendations" ? .ignore : nil }
        }
        let presenter = FailurePresenter(policy: policy, clock: options.clock)
        self.presenter = presenter
        client = try Client.standard(
            baseURL: "https://shop.example.com/api", apiError: ShopError.self, transport: transport,
            authentication: SessionToken(session: session), deadline: .seconds(60), options: options
        ).withOptions { $0.observers.append(presenter) }
    }

    /// Once, when the app starts.
    func registerDefaults() throws {
        try DefaultHandlers.register { presenter }
    }
}
