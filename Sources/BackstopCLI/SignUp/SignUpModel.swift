#if Demo
    internal import Backstop
    internal import BackstopCombine
    internal import BackstopCore
    internal import BackstopPresentation
    internal import Foundation

    /// A form for a new account: the user name is checked while it is typed.
    ///
    /// A check begins when nothing was typed for 0.8 s. A name that was just answered is not asked about again; one whose
    /// check failed is. Only the answer to the latest check counts. A submission is sent once, and no check takes its
    /// place. What a person sees of a failure is the presenter's to say.
    @MainActor
    final class SignUpModel: ObservableObject {
        /// What is known of a name.
        enum Status: String {
            /// Nothing, or what the presenter shows.
            case unknown
            case checking
            /// Nobody has it.
            case free
            /// Its account is being made.
            case submitting
            /// It has an account now.
            case signedUp
        }

        // It has a lock of its own, and is told so in none of its declarations.
        nonisolated(unsafe) let objectWillChange = ObservableObjectPublisher()
        let presenter: FailurePresenter

        /// The name in the field.
        var userName = "" {
            willSet { objectWillChange.send() }
            didSet {
                if latestStatus == .signedUp, !isCurrent {
                    // What is typed now is for another account.
                    checkedName = nil
                    latestStatus = .unknown
                }
                names.send(userName)
            }
        }
        /// The name that the latest check was about, and with it what the presenter shows at the field.
        private(set) var checkedName: String? {
            willSet { objectWillChange.send() }
        }
        /// What came of the latest check.
        private(set) var latestStatus = Status.unknown {
            willSet { objectWillChange.send() }
        }
        /// How many checks there were.
        private var count = 0

        private let names = PassthroughSubject<String, Never>()
        private let checks = PassthroughSubject<UserNameCheck, Never>()
        private var subscriptions: Set<AnyCancellable> = []

        /// - Parameters:
        ///   - client: The client of the service.
        ///   - presenter: What shows failures; `SignUpModel.policy` is made for it.
        ///   - scheduler: What the pauses of typing are measured by, on the main thread: `ClockScheduler()` in an app.
        init(client: Client, presenter: FailurePresenter, scheduler: some Scheduler) {
            self.presenter = presenter
            names
                .debounce(for: .milliseconds(800), scheduler: scheduler)
                .sink { [weak self] _ in self?.check(isSubmission: false) }
                .store(in: &subscriptions)
            checks
                .map { check in
                    client.publisher(for: check)
                        .presentFailures(on: presenter)
                        .replaceEmpty(with: nil)
                        .map { @Sendable name in (check, name != nil) }
                }
                .switchToLatest()
                .receive(on: scheduler)
                .sink { [weak self] check, isFree in self?.end(check, isFree: isFree) }
                .store(in: &subscriptions)
        }

        /// What is known of the name in the field; what belongs to another name is not shown, unless it was submitted.
        var status: Status {
            isCurrent || isSubmitted ? latestStatus : .unknown
        }

        /// Whether the latest check was about the name in the field.
        var isCurrent: Bool {
            checkedName == userName
        }

        /// Makes the account. While that is under way, and when it is done, nothing more is sent.
        func submit() {
            check(isSubmission: true)
        }

        /// Whether the account is being made, or is there.
        private var isSubmitted: Bool {
            latestStatus == .submitting || latestStatus == .signedUp
        }

        /// Whether the latest check was about the name in the field, and runs or has its answer, be it a refusal: one that
        /// failed has none.
        private var isAnswered: Bool {
            isCurrent && (latestStatus != .unknown || presenter.state.inline(UserNameCheck.field) != nil)
        }

        private func check(isSubmission: Bool) {
            guard !isSubmitted, isSubmission || !userName.isEmpty && !isAnswered else {
                return
            }
            count += 1
            checkedName = userName
            latestStatus = isSubmission ? .submitting : .checking
            presenter.clearInline(UserNameCheck.field)
            checks.send(UserNameCheck(userName: userName, isSubmission: isSubmission, number: count))
        }

        private func end(_ check: UserNameCheck, isFree: Bool) {
            guard check.number == count else {
                return
            }
            latestStatus = !isFree ? .unknown : check.isSubmission ? .signedUp : .free
            if check.isSubmission, !isCurrent {
                // What was typed meanwhile was not checked.
                names.send(userName)
            }
        }
    }
#endif
