import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("The operation of a policy", .limited)
struct PolicyOperationTests {
    @Test("is not begun when its task is cancelled just before")
    func cancelled() async throws {
        // given
        let runs = Counter()
        let operation = Policy.Operation(
            name: "", destination: "", isIdempotent: false, isTransient: { _ in false },
            run: { _ in Policy.Output(runs.increment()) })
        // when
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) {
                _ = try await OperationRunner().send(operation, context: CallContext(options: CallOptions()))
            }
        }.value
        // then
        #expect(runs.value == 0)
    }
}
