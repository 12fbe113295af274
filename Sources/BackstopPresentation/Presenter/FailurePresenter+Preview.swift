public import BackstopCore

extension FailurePresenter {
    /// A presenter for `#Preview` that shows failures, as calls have them that may be sent again. Its time stands still.
    ///
    /// ```swift
    /// #if canImport(SwiftUI)
    ///     import SwiftUI
    ///
    ///     struct BooksPreview: View {
    ///         var body: some View {
    ///             Text("Books").presentsFailures(of: .preview(Failure(TransportError(.offline))))
    ///         }
    ///     }
    /// #endif
    /// ```
    /// - Parameters:
    ///   - failures: What is shown, and waits.
    ///   - fields: The fields that the view shows; nil is the form as a whole.
    ///   - policy: How failures are presented.
    public static func preview(
        _ failures: Failure..., fields: [String?] = [], policy: PresentationPolicy = PresentationPolicy()
    ) -> FailurePresenter {
        let presenter = FailurePresenter(policy: policy, clock: StoppedClock())
        fields.forEach(presenter.beginInline)
        for failure in failures {
            _ = presenter.tell(policy.presentation(of: failure, canRetry: true), failure)
        }
        return presenter
    }

    /// A clock that stands still: whoever sleeps wakes only when cancelled.
    private struct StoppedClock: CallClock {
        var now: Duration { .zero }
        var date: Duration { .zero }

        func sleep(for duration: Duration) async throws {
            let (never, source) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            withExtendedLifetime(source) {}
            try Task.checkCancellation()
        }
    }
}
