#if Demo
    internal import Backstop
    internal import BackstopCombine
    internal import BackstopCore
    internal import BackstopPresentation
    internal import Foundation

    /// The form of one page: its model, and what the page shows of it. It ends with the page's connection.
    @MainActor
    final class SignUpSession {
        /// What a page says.
        struct Act: Decodable {
            enum Kind: String, Decodable {
                /// The name in the field has changed.
                case type
                case submit
                /// An action of what is shown was chosen.
                case choose
                /// The server of the form is stopped, or goes on.
                case server
            }

            let session: String
            let kind: Kind
            /// The number of the act: an older one of its kind that arrives later is dropped.
            var number: Int?
            var userName: String?
            var id: Int?
            var action: String?
            var isStopped: Bool?
        }

        /// How many characters a name may have.
        static let nameLimit = 100

        private let model: SignUpModel
        private let presenter: FailurePresenter
        private let server = ServerSwitch()
        private let live = LiveTrace()
        private let send: (_ event: String, _ json: String) -> Void
        /// The number of the latest key stroke or submission.
        private var latestNumber = 0
        /// The number of the latest stop or start of the server.
        private var latestSwitch = 0
        private var latestState = ""
        private var subscription: AnyCancellable?
        private var followers: [Task<Void, Never>] = []

        /// - Parameters:
        ///   - origin: The server.
        ///   - send: Sends an event to the page.
        init(origin: URL, send: @escaping @Sendable (_ event: String, _ json: String) -> Void) throws {
            self.send = send
            var options = CallOptions()
            options.observers = [live]
            let transport = WatchedTransport(transport: server, live: live)
            let presenter = FailurePresenter(policy: .signUp(texts: .english))
            let client = try Client.signUp(baseURL: origin, transport: transport, options: options)
                .withOptions { $0.observers.append(presenter) }
            self.presenter = presenter
            model = SignUpModel(client: client, presenter: presenter, scheduler: ClockScheduler())
            presenter.beginInline(UserNameCheck.field)
            presenter.beginInline(nil)
            // It says that something will have changed.
            subscription = model.objectWillChange.sink { [weak self] in
                Task { @MainActor in self?.update() }
            }
            followers = [
                Task { [weak self, states = presenter.states] in
                    for await _ in states { self?.update() }
                },
                Task { [live] in
                    await live.follow { send("trace", $0.json) }
                },
            ]
        }

        /// Ends everything that the page has begun.
        func end() {
            followers.forEach { $0.cancel() }
            subscription = nil
            live.end()
        }

        func perform(_ act: Act) throws(WebRefusal) {
            defer { update() }
            switch act.kind {
            case .type, .submit:
                guard let name = act.userName, let number = act.number, name.count <= Self.nameLimit else {
                    throw .badRequest("A name has at most \(Self.nameLimit) characters, and each key stroke a number")
                }
                guard number > latestNumber else {
                    return
                }
                latestNumber = number
                if name != model.userName {
                    model.userName = name
                }
                if act.kind == .submit {
                    model.submit()
                }
            case .choose:
                let state = presenter.state
                let shown = (state.modals + state.banners + state.inlines).first { $0.id == act.id }
                if let shown, let action = shown.presentation.actions.first(where: { $0.name == act.action }) {
                    presenter.choose(action, for: shown.id)
                }
            case .server:
                guard let isStopped = act.isStopped, let number = act.number else {
                    throw .badRequest("A server is stopped or not, and each change of that has a number")
                }
                if number > latestSwitch {
                    latestSwitch = number
                    server.isStopped = isStopped
                }
            }
        }

        /// Sends the state, if it is another than before.
        private func update() {
            let state = json
            if state != latestState {
                latestState = state
                send("state", state)
            }
        }

        private var json: String {
            let state = presenter.state
            let inline = model.isCurrent ? state.inline(UserNameCheck.field) ?? state.inline(nil) : nil
            return JSONWriter.object([
                ("number", "\(latestNumber)"),
                ("userName", JSONWriter.quoted(model.userName)),
                ("checkedName", JSONWriter.quoted(model.checkedName)),
                ("status", JSONWriter.quoted(model.status.rawValue)),
                ("inline", inline?.json ?? "null"),
                ("banners", JSONWriter.list(state.banners.map(\.json))),
                ("modal", state.modal?.json ?? "null"),
                ("isServerStopped", server.isStopped ? "true" : "false"),
            ])
        }
    }

    extension PresentedFailure {
        fileprivate var json: String {
            JSONWriter.object([
                ("id", "\(id)"), ("count", "\(count)"),
                ("remaining", remaining.map { JSONWriter.number($0.seconds) } ?? "null"),
                ("presentation", presentation.json),
            ])
        }
    }

    /// Sends the calls of a form, whose server can be stopped: they then go to a port where nobody listens.
    final class ServerSwitch: HTTP.Transport {
        private let transport: any HTTP.Transport = URLSessionTransport()
        /// Whether it is stopped, guarded by the lock.
        private let state = Lock(false)

        var isStopped: Bool {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }

        var endsAttemptsInTime: Bool { transport.endsAttemptsInTime }

        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            var request = request
            if isStopped, var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) {
                // The port of a service that no machine has any more.
                parts.port = 1
                request.url = parts.url ?? request.url
            }
            return try await transport.send(request, context: context)
        }
    }
#endif
