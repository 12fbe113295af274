import BackstopCore
import BackstopTestSupport
import Foundation
import Testing

private enum Tenant: CallKey { static let defaultValue = "none" }
private enum Count: CallKey { static let defaultValue = 0 }
private enum Maybe: CallKey { static let defaultValue: String? = "default" }

@Suite("The values of a call", .limited)
struct CallValuesTests {
    @Test("have their key's default until they are set")
    func defaults() {
        let values = CallValues()
        #expect(values[Tenant.self] == "none")
        #expect(values[Count.self] == 0)
    }

    @Test("are kept apart by key, though their types are the same")
    func keys() {
        // given
        enum Other: CallKey { static let defaultValue = "other" }
        var values = CallValues()
        // when
        values[Tenant.self] = "a"
        // then
        #expect(values[Tenant.self] == "a")
        #expect(values[Other.self] == "other")
    }

    @Test("of an optional type can be set to nil, which is not the default")
    func optional() {
        // given
        var values = CallValues()
        #expect(values[Maybe.self] == "default")
        // when
        values[Maybe.self] = nil
        // then
        #expect(values[Maybe.self] == nil)
        // when
        values[Maybe.self] = "set"
        // then
        #expect(values[Maybe.self] == "set")
    }

    @Test("are copied, not shared")
    func copies() {
        // given
        var first = CallValues()
        first[Count.self] = 1
        // when
        var second = first
        second[Count.self] = 2
        // then
        #expect(first[Count.self] == 1)
    }

    @Test("of a call that were set at once by many are all counted")
    func together() async {
        // given
        let context = CallContext()
        // when
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask { context.withValues { $0[Count.self] += 1 } }
            }
        }
        // then
        #expect(context.values[Count.self] == 200)
    }

    @Test("that were set in one attempt are there in the next")
    func attempts() {
        // given
        let first = CallContext()
        first.values[Tenant.self] = "a"
        // when
        let second = first.nextAttempt(after: ShopError(), waited: .zero, because: "test")
        second.values[Count.self] = 3
        // then
        #expect(second.values[Tenant.self] == "a")
        #expect(first.values[Count.self] == 3)
    }

    @Test("can be read while they are changed")
    func readInside() {
        // given
        let context = CallContext()
        context.values[Tenant.self] = "a"
        // when
        let seen = context.withValues { values in
            values[Tenant.self] = "b"
            return context.values[Tenant.self]
        }
        // then
        #expect(seen == "a")
        #expect(context.values[Tenant.self] == "b")
    }

    @Test("can be set while they are changed; what the change itself does counts")
    func setInside() {
        // given
        let context = CallContext()
        // when
        context.withValues { values in
            context.values[Tenant.self] = "inner"
            context.withValues { $0[Count.self] = 7 }
            values[Tenant.self] = "outer"
        }
        // then
        #expect(context.values[Tenant.self] == "outer")
        #expect(context.values[Count.self] == 7)
    }

    @Test("stay as they are when the change throws")
    func throwing() {
        // given
        let context = CallContext()
        // when
        #expect(throws: ShopError.self) {
            try context.withValues { values in
                values[Tenant.self] = "b"
                throw ShopError()
            }
        }
        // then
        #expect(context.values[Tenant.self] == "none")
        #expect(context.withValues { $0[Tenant.self] } == "none")
    }

    @Test("are let go where the caller's code may use the context")
    func releasedOutsideTheLock() {
        // given: a value that asks the context when it goes
        final class Asking: Sendable {
            let context: CallContext
            init(_ context: CallContext) { self.context = context }
            deinit { _ = context.values[Tenant.self] }
        }
        enum Kept: CallKey { static let defaultValue: Asking? = nil }
        let context = CallContext()
        context.values[Kept.self] = Asking(context)
        // when: each of these lets it go
        context.values[Kept.self] = Asking(context)
        context.withValues { $0[Kept.self] = nil }
        // then
        #expect(context.values[Kept.self] == nil)
    }

    @Test("can be replaced as a whole by a change")
    func replacedInside() {
        // given
        let context = CallContext()
        context.values[Tenant.self] = "a"
        var other = CallValues()
        other[Count.self] = 3
        // when
        context.withValues { $0 = other }
        // then
        #expect(context.values[Tenant.self] == "none")
        #expect(context.values[Count.self] == 3)
    }

    @Test("lose no change that another thread makes meanwhile")
    func otherThread() {
        // given
        let context = CallContext()
        var runs = 0
        // when
        context.withValues { values in
            runs += 1
            if runs == 1 {
                let isDone = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    context.withValues { $0[Count.self] += 40 }
                    isDone.signal()
                }
                isDone.wait()
            }
            values[Count.self] += 2
        }
        // then
        #expect(context.values[Count.self] == 42)
    }
}
