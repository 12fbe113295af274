import BackstopTestSupport
import BackstopTesting
import Dispatch
import Foundation
import Testing

@testable import BackstopCore
@testable import BackstopStreams

@Suite("What takes the responses of a call", .limited)
struct IntakeTests {
    /// Takes each body for an answer in the place of a stream, except one that says that it is none.
    private final class Sink: BodySink {
        /// How often it has begun, guarded by the lock.
        let begun = Lock(0)

        nonisolated(nonsending) func begin(_ head: HTTP.Response) async throws {
            begun.withLock { $0 += 1 }
        }

        nonisolated(nonsending) func put(_ chunk: Data) async throws {
            guard chunk != Data("stream".utf8) else {
                return
            }
            throw WholeAnswer(HTTP.Response(status: 200, body: chunk), saying: TransportError(.unknown))
        }

        nonisolated(nonsending) func end() async throws {}
        func complete(_ report: inout TransferReport) {}
        func close() {}
    }

    private static func response(_ body: String) -> HTTP.Response {
        HTTP.Response(status: 200, body: Data(body.utf8))
    }

    private let sink = Sink()
    private let intake: HTTP.Intake

    init() {
        intake = HTTP.Intake(sink, silence: nil, clock: ManualClock())
    }

    private func receive(_ body: String) async throws -> HTTP.Response {
        try await intake.receive(Self.response(""), HTTP.IncomingBody(Data(body.utf8)))
    }

    private func take(_ response: HTTP.Response) async throws -> (any Sendable)? {
        try await intake.take(whole: response, context: CallContext())
    }

    @Test("makes no stream of a head whose attempt is over, and leaves it to the next")
    func overdue() async throws {
        let pipe = intake.makePipe()
        // More than is collected of an error, so that it is no whole answer either.
        pipe.push(Data(count: 2000)) {}
        #expect(pipe.expire())
        pipe.end(.failure(TimeoutError(.attempt)))
        await #expect(throws: TimeoutError(.attempt)) {
            _ = try await intake.receive(Self.response(""), pipe, leadsOn: false, limit: 1000) {
                Issue.record("it was opened")
            }
        }
        #expect(!intake.isOpen)
        _ = try await receive("stream")
        #expect(sink.begun.withLock { $0 } == 1)
    }

    @Test("leaves the limit of the attempt to a body that it collects", arguments: [(404, false), (200, true)])
    func collecting(status: Int, leadsOn: Bool) async throws {
        let pipe = intake.makePipe()
        pipe.push(Data("not found".utf8)) {}
        pipe.end(.success(()))
        let head = HTTP.Response(status: status)
        _ = try await intake.receive(head, pipe, leadsOn: leadsOn, limit: 1000) { Issue.record("it was opened") }
        #expect(pipe.expire())
    }

    @Test("begins with a head whose body was lost at once: what has come of it is given")
    func lostAtOnce() async throws {
        let pipe = intake.makePipe()
        pipe.push(Data("stream".utf8)) {}
        pipe.end(.failure(TransportError(.lost)))
        await #expect(throws: TransportError.self) {
            _ = try await intake.receive(Self.response(""), pipe, leadsOn: false, limit: 1000) {
                // Its attempt has no limit any more.
                #expect(!pipe.expire())
            }
        }
        #expect(intake.isOpen)
        #expect(sink.begun.withLock { $0 } == 1)
    }

    @Test("leaves the answer in the place of a stream alone, whichever attempt returns first")
    func answered() async throws {
        // given
        let answer = try await receive("answer")
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await take(Self.response("late")) == nil
        }
        late.cancel()
        #expect(try await late.value)
        // when
        let taken = try await take(answer)
        // then
        #expect(taken == nil)
        #expect(sink.begun.withLock { $0 } == 1)
        #expect(try await take(Self.response("stream")) != nil)
        #expect(sink.begun.withLock { $0 } == 2)
    }

    @Test("undoes what is done late, when the stream turns out to be none meanwhile, and does it with the next")
    func undone() async throws {
        // given
        let log = Lock<[String]>([])
        let (isActing, isUndone) = (Gate(), DispatchSemaphore(value: 0))
        let answer = Task { [intake] in
            let hasCome = Lock(false)
            let body = HTTP.IncomingBody {
                await isActing.pass()
                return hasCome.withLock { hasCome in
                    defer { hasCome = true }
                    return hasCome ? nil : Data("answer".utf8)
                }
            }
            return try await intake.receive(Self.response(""), body)
        }
        while !intake.isOpen { await Task.yield() }
        // when
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [intake] in
                _ = intake.whenOpen {
                    isActing.open()
                    if log.withLock({ $0.isEmpty }) {
                        isUndone.wait()
                    }
                    log.withLock { $0.append("done") }
                } undo: {
                    log.withLock { $0.append("undone") }
                }
                continuation.resume()
            }
            Task {
                _ = try? await answer.value
                isUndone.signal()
            }
        }
        // then
        #expect(log.withLock { $0.last } == "undone")
        #expect(try await receive("stream").status == 200)
        #expect(log.withLock { $0.last } == "done")
    }
}
