import Backstop
import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// An actor that closures are called on.
private actor Inbox {
    private(set) var entries: [String] = []

    func add(_ entry: String) {
        entries.append(entry)
    }
}

@Suite("Closures of a call", .limited)
struct CallbackActorTests {
    /// A screen, as an app has it: its state is that of the main actor.
    @MainActor
    private final class Screen {
        var events: [String] = []

        nonisolated init() {}
    }

    @Test("are called on a queue, once, also when the call was cancelled")
    func queue() async throws {
        let queue = DispatchQueue(label: "callbacks")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let (outcomes, outcome) = AsyncStream.makeStream(of: String.self)
        let client = try Rig(.json(200, Book.json), .hang).standard()
        client.perform(BookEndpoint(), on: queue) { result in
            #expect(DispatchQueue.getSpecific(key: key) == true)
            outcome.yield(result.value?.title ?? "none")
        }
        var iterator = outcomes.makeAsyncIterator()
        #expect(await iterator.next() == "Dune")
        client.perform(BookEndpoint(), on: queue) { result in
            let isCancelled = if case .cancelled = result { true } else { false }
            outcome.yield(isCancelled ? "cancelled" : "not cancelled")
        }.cancel()
        #expect(await iterator.next() == "cancelled")
    }

    @Test("are called on the main actor, whose state they change without a wait")
    func mainActor() async throws {
        // given
        let client = try Rig(.json(200, Book.json), .status(404), .json(200, Book.json)).standard()
        let screen = Screen()
        // when
        await client.perform(BookEndpoint(), onSuccess: { screen.events.append($0.title) }, onFailure: nil).value
        await client.perform(
            BookEndpoint(), onSuccess: { screen.events.append($0.title) },
            onFailure: { failure in
                MainActor.assertIsolated()
                screen.events.append(failure.code)
                return true
            }
        ).value
        await client.perform(
            BookEndpoint(), completion: { outcome in screen.events.append(outcome.value?.title ?? "") }
        ).value
        // then
        #expect(await screen.events == ["Dune", "status.404", "Dune"])
    }

    @Test("are called on the actor that is given, and get it")
    func otherActor() async throws {
        // given
        let rig = Rig(.json(200, Book.json), .status(404), .status(404), .hang)
        let client = try rig.standard()
        let inbox = Inbox()
        // when
        await client.perform(BookEndpoint(), on: inbox, onSuccess: { inbox, book in inbox.add(book.title) }).value
        await client.perform(
            BookEndpoint(), on: inbox, onSuccess: { inbox, _ in inbox.add("success") },
            onFailure: { inbox, failure in
                inbox.add(failure.code)
                return true
            }
        ).value
        await DefaultHandlers.withHandlers {
            Otherwise(name: "default") { _ in }
        } operation: {
            await client.perform(
                BookEndpoint(), on: inbox, completion: { inbox, outcome in inbox.add(outcome.handledBy ?? "") }
            ).value
        }
        let task = client.perform(
            BookEndpoint(), on: inbox, onSuccess: { inbox, _ in inbox.add("success") },
            onCancel: { inbox in inbox.add("cancel") })
        await rig.transport.waitForRequests(4)
        task.cancel()
        await task.value
        // then
        #expect(await inbox.entries == ["Dune", "status.404", "default", "cancel"])
    }

    @Test("are not called once the main actor has cancelled, though the response is there", arguments: [200, 404])
    @MainActor
    func cancelledLate(status: Int) async throws {
        // given
        let rig = Rig(.json(status, Book.json))
        var events: [String] = []
        let task = try rig.standard().perform(
            BookEndpoint(), onSuccess: { _ in events.append("success") },
            onFailure: { _ in
                events.append("failure")
                return true
            }, onCancel: { events.append("cancel") })
        // when: the call ends while the main actor is busy, so that its closure has to wait
        while rig.observer.calls.isEmpty {}
        task.cancel()
        await task.value
        // then
        #expect(events == ["cancel"])
    }

    @Test("of a one-liner: onFailure returns whether it handled the failure, and otherwise the defaults run")
    func oneLiner() async throws {
        // given
        let client = try Rig(.json(200, Book.json), .status(404), .status(404), .status(404)).standard()
        let screen = Screen()
        // when
        await DefaultHandlers.withHandlers {
            Otherwise { @MainActor failure in screen.events.append("default: \(failure.code)") }
        } operation: {
            await client.perform(
                .get("books/1", as: Book.self), onSuccess: { book in screen.events.append(book.title) }
            ).value
            for handles in [true, false] {
                await client.perform(
                    .get("books/1"), onSuccess: { _ in screen.events.append("success") },
                    onFailure: { failure in
                        screen.events.append("error: \(failure.code)")
                        return handles
                    }
                ).value
            }
            await client.perform(.get("books/1"), onSuccess: { _ in screen.events.append("success") }).value
        }
        // then
        #expect(
            await screen.events == [
                "Dune", "error: status.404", "error: status.404", "default: status.404", "default: status.404",
            ])
    }

    @Test("of a one-liner for Data give the body as it is, and ask for no JSON")
    func data() async throws {
        // given
        let rig = Rig(.data(200, Data([0xFF, 0x00])).repeated())
        let client = try rig.standard()
        let screen = Screen()
        // when
        await client.perform(
            .get("photo", as: Data.self), onSuccess: { data in screen.events.append("\(Array(data))") }
        ).value
        let data = try await client.get("photo", as: Data.self)
        // then
        #expect(await screen.events == ["[255, 0]"])
        #expect(data == Data([0xFF, 0x00]))
        #expect(rig.transport.requests.allSatisfy { $0.headers[.accept] == nil })
    }

    @Test("leave a failure to the defaults without onFailure, or where it is nil")
    func withoutFailure() async throws {
        // given
        let client = try Rig(.json(200, Book.json), .status(404)).standard()
        let screen = Screen()
        // when
        await DefaultHandlers.withHandlers {
            Otherwise { @MainActor failure in screen.events.append("default: \(failure.code)") }
        } operation: {
            await client.perform(BookEndpoint(), onSuccess: { book in screen.events.append(book.title) }).value
            await client.perform(BookEndpoint(), onSuccess: { _ in }, onFailure: nil).value
        }
        // then
        #expect(await screen.events == ["Dune", "default: status.404"])
    }
}

@Suite("A client's result(of:)", .limited)
struct ResultTests {
    @Test("is the content, or the failure, and asks no handler")
    func result() async throws {
        // given
        let rig = Rig(.json(200, Book.json), .status(404))
        let client = try rig.standard().scoped("shop") { Otherwise { _ in Issue.record("Nobody is asked.") } }
        // when
        let found: Result<Book, Failure> = await client.result(of: BookEndpoint())
        let missing = await client.result(of: .get("books/2", as: Book.self))
        // then
        #expect(try found.get() == .dune)
        #expect(throws: Failure.self) { try missing.get() }
        #expect(rig.observer.failures.map(\.outcome) == [.thrown])
    }
}
