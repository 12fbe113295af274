import Backstop
import BackstopCore
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket

@Suite("The protocol of a socket", .limited)
struct SocketProtocolTests {
    @Test("sends operations once the connection is acknowledged, in their order, but for those cancelled before")
    func order() {
        var rules = SocketProtocol(SocketOptions(), payload: Data(#"{"a":1}"#.utf8))
        _ = rules.begin()
        let ids = (0..<3).map { rules.start(Data(#"{"n":\#($0)}"#.utf8)) }
        #expect(ids == [1, 2, 3])
        #expect(rules.steps() == [])
        rules.opened()
        rules.cancel(2)
        #expect(rules.steps() == [.send(#"{"type":"connection_init","payload":{"a":1}}"#)])
        rules.receive(#"{"type":"connection_ack"}"#)
        #expect(
            rules.steps() == [
                .send(#"{"type":"subscribe","id":"1","payload":{"n":0}}"#),
                .send(#"{"type":"subscribe","id":"3","payload":{"n":2}}"#),
            ])
        rules.written(1)
        #expect(rules.steps() == [.tell(1, "began")])
    }

    @Test("passes results, errors and ends to their operations, and nothing after the end")
    func results() {
        var rules = SocketProtocol.ready()
        let (first, second) = (rules.run(), rules.run())
        _ = rules.takeActions()
        rules.receive(#"{"type":"next","id":"1","payload":{"data":1}}"#)
        rules.receive(#"{"type":"next","id":"2","payload":{"data":2}}"#)
        rules.receive(#"{"type":"error","id":"2","payload":[]}"#)
        rules.receive(#"{"type":"complete","id":"1"}"#)
        rules.receive(#"{"type":"next","id":"1","payload":{"data":3}}"#)
        rules.receive(#"{"type":"complete","id":"2"}"#)
        #expect(
            rules.steps() == [
                .tell(first, #"result {"data":1}"#), .tell(second, #"result {"data":2}"#), .tell(second, "errors []"),
                .tell(first, "complete"), .unwanted(first),
            ])
    }

    @Test(
        "ignores messages for ids that it does not know",
        arguments: ["99", "0", "-1", "01", "+1", "", "x", "18446744073709551616"])
    func unknown(id: String) {
        var rules = SocketProtocol.ready()
        _ = rules.run()
        _ = rules.takeActions()
        for message in [#""type":"next","payload":{}"#, #""type":"error","payload":[]"#, #""type":"complete""#] {
            rules.receive(#"{"id":"\#(id)",\#(message)}"#)
        }
        #expect(rules.steps() == [])
        #expect(rules.isOpen)
    }

    @Test("ends a cancelled operation with one message, and leaves the others alone")
    func cancel() {
        var rules = SocketProtocol.ready()
        let (first, second) = (rules.run(), rules.run())
        _ = rules.takeActions()
        rules.cancel(first)
        rules.cancel(first)
        rules.receive(#"{"type":"next","id":"1","payload":{}}"#)
        rules.receive(#"{"type":"next","id":"2","payload":{}}"#)
        #expect(
            rules.steps() == [
                .send(#"{"type":"complete","id":"1"}"#), .unwanted(first), .tell(second, "result {}"),
            ])
    }

    @Test(
        "closes when the server breaks a rule",
        arguments: [
            (false, #"{"type":"next","id":"1","payload":{}}"#, 4400),
            (false, #"{"type":"error","id":"1","payload":[]}"#, 4400),
            (false, #"{"type":"complete","id":"1"}"#, 4400), (false, "x", 4400), (true, "x", 4400),
            (true, #"{"type":"data"}"#, 4400), (true, #"{"type":"connection_ack"}"#, 4429),
        ] as [(Bool, String, UInt16)])
    func broken(isReady: Bool, message: String, code: UInt16) {
        var rules = isReady ? SocketProtocol.ready() : SocketProtocol(SocketOptions(), payload: nil)
        if !isReady {
            _ = rules.begin()
            rules.opened()
        }
        let id = rules.run()
        _ = rules.takeActions()
        rules.receive(message)
        let phase = isReady ? "waiting" : "connecting"
        #expect(rules.steps() == [.tell(id, "transport.badResponse \(phase)"), .close(code)])
        #expect(!rules.isOpen && rules.start(Data()) == nil)
    }

    @Test("tells a loss to several operations when nobody knows which of them the server broke a rule for")
    func brokenForOne() {
        var rules = SocketProtocol.ready()
        let ids = [rules.run(), rules.run()]
        _ = rules.takeActions()
        rules.receive("x")
        #expect(rules.steps() == ids.map { .tell($0, "transport.lost waiting") } + [.close(4400)])
    }

    @Test(
        "fails only the operation that a message is for, if it is wrong, and tells the server",
        arguments: [
            #""type":"next","payload":null"#, #""type":"error","payload":{"message":"no"}"#, #""type":"data""#,
            #""type":"next""#,
        ])
    func brokenMessage(members: String) {
        var rules = SocketProtocol.ready()
        let (first, second) = (rules.run(), rules.run())
        _ = rules.takeActions()
        rules.receive(#"{"id":"\#(first)",\#(members)}"#)
        rules.receive(#"{"id":"\#(first)",\#(members)}"#)
        rules.receive(#"{"id":"99",\#(members)}"#)
        rules.receive(#"{"type":"next","id":"\#(second)","payload":{}}"#)
        #expect(
            rules.steps() == [
                .tell(first, "transport.badResponse receiving"), .send(#"{"type":"complete","id":"\#(first)"}"#),
                .tell(second, "result {}"),
            ])
    }

    @Test("answers each ping once, with its payload, also before the acknowledgement")
    func pings() {
        var rules = SocketProtocol(SocketOptions(), payload: nil)
        _ = rules.begin()
        rules.opened()
        _ = rules.takeActions()
        rules.receive(#"{"type":"ping","payload":{"n":1}}"#)
        rules.receive(#"{"type":"pong"}"#)
        rules.receive(#"{"type":"ping"}"#)
        #expect(rules.steps() == [.send(#"{"type":"pong","payload":{"n":1}}"#), .send(#"{"type":"pong"}"#)])
    }

    @Test("tells each operation of a loss how far it had come")
    func loss() {
        var rules = SocketProtocol.ready()
        let (receiving, waiting) = (rules.run(), rules.run())
        let sending = rules.start(Data()) ?? 0
        rules.receive(#"{"type":"next","id":"\#(receiving)","payload":{}}"#)
        _ = rules.takeActions()
        rules.closed(SocketClose(code: 1000, reason: ""))
        #expect(
            rules.steps() == [
                .tell(receiving, "transport.lost receiving"), .tell(waiting, "transport.lost waiting"),
                .tell(sending, "transport.lost sending"),
            ])
        rules.closed(SocketClose(code: 1000, reason: ""))
        rules.receive("x")
        rules.cancel(receiving)
        #expect(rules.steps() == [])
    }

    @Test("gives 4403 as a status to what was not sent, and as a loss to what was")
    func forbidden() {
        var opening = SocketProtocol(SocketOptions(), payload: nil)
        _ = opening.begin()
        opening.opened()
        let id = opening.start(Data()) ?? 0
        _ = opening.takeActions()
        opening.closed(SocketClose(code: 4403, reason: "no"))
        #expect(opening.steps() == [.tell(id, "status.403")])

        var ready = SocketProtocol.ready()
        let other = ready.run()
        _ = ready.takeActions()
        ready.closed(SocketClose(code: 4403, reason: "no"))
        #expect(ready.steps() == [.tell(other, "transport.lost waiting")])
    }

    @Test("gives a response in the place of a connection to all that wait")
    func answered() {
        var rules = SocketProtocol(SocketOptions(), payload: nil)
        _ = rules.begin()
        let ids = [rules.start(Data()), rules.start(Data())]
        rules.answered(HTTP.Response(status: 503), to: .get)
        #expect(rules.steps() == ids.map { .tell($0 ?? 0, "status 503") })
    }

    @Test("closes some time after the last operation, unless another begins")
    func idle() {
        var rules = SocketProtocol.ready()
        let id = rules.run()
        rules.cancel(id)
        let started = rules.allSteps().last
        guard case .start(.idle, let number) = started else {
            Issue.record("\(String(describing: started))")
            return
        }
        let next = rules.run()
        // The timer was stopped too late.
        rules.expire(.idle, number)
        #expect(rules.isOpen)
        rules.cancel(next)
        guard case .start(.idle, let second) = rules.allSteps().last else {
            Issue.record("The time was not limited again")
            return
        }
        rules.expire(.idle, second)
        #expect(rules.steps() == [.close(1000)])
        #expect(!rules.isOpen)
    }

    @Test("closes at once with its last operation if that is wanted, or it was replaced")
    func replaced() {
        var none = SocketProtocol(SocketOptions(idle: .zero), payload: nil)
        _ = none.begin()
        none.opened()
        let only = none.run()
        none.receive(#"{"type":"connection_ack"}"#)
        #expect(none.isOpen)
        none.cancel(only)
        #expect(none.steps().last == .close(1000))

        var retired = SocketProtocol.ready()
        let id = retired.run()
        retired.retire()
        #expect(retired.isOpen)
        retired.receive(#"{"type":"complete","id":"\#(id)"}"#)
        #expect(retired.steps().last == .close(1000))
    }

    @Test(
        "closes before the acknowledgement as soon as nobody waits any more, and sends nothing then", arguments: [0, 1])
    func unwanted(step: Int) {
        var rules = SocketProtocol(SocketOptions(), payload: nil)
        let ids = [rules.run(), rules.run()]
        _ = rules.begin()
        if step == 1 { rules.opened() }
        rules.cancel(ids[0])
        #expect(rules.isOpen)
        _ = rules.takeActions()
        rules.cancel(ids[1])
        rules.opened()
        rules.receive(#"{"type":"connection_ack"}"#)
        #expect(rules.steps() == [.close(1000)])
    }

    @Test("does not even connect when nobody waits any more")
    func unwantedBefore() {
        var rules = SocketProtocol(SocketOptions(), payload: nil)
        rules.cancel(rules.run())
        let connects = rules.begin()
        #expect(!connects)
        #expect(rules.steps() == [.close(1000)])
    }

    @Test("keeps what its connection failed with as the cause of the loss")
    func cause() {
        var rules = SocketProtocol.ready()
        _ = rules.run()
        _ = rules.takeActions()
        rules.failed(TimeoutError(.attempt))
        guard case .tell(_, .lost(let error))? = rules.takeActions().last, let lost = error as? TransportError else {
            Issue.record("The operation was not told of the loss")
            return
        }
        #expect(lost.code == .lost && lost.phase == .waiting && lost.underlying is TimeoutError)
    }

    @Test("takes a part of a message for a sign of life")
    func parts() {
        var rules = SocketProtocol.ready()
        _ = rules.run()
        var number: UInt64 = 2
        for _ in 0..<3 {
            rules.expire(.ping, number)
            number += 1
            rules.heard()
        }
        #expect(rules.isOpen)
    }

    @Test("is lost when no message comes from one ping to the next")
    func silence() {
        var rules = SocketProtocol(SocketOptions(), payload: nil)
        _ = rules.begin()
        rules.opened()
        let id = rules.start(Data()) ?? 0
        rules.receive(#"{"type":"connection_ack"}"#)
        rules.written(id)
        func ping(_ steps: [Step]) -> UInt64 {
            steps.compactMap { if case .start(.ping, let number) = $0 { number } else { nil } }.last ?? 0
        }
        var number = ping(rules.allSteps())
        for _ in 0..<3 {
            rules.expire(.ping, number)
            let steps = rules.allSteps()
            #expect(steps.contains(.send(#"{"type":"ping"}"#)))
            number = ping(steps)
            rules.receive(#"{"type":"pong"}"#)
        }
        rules.expire(.ping, number)
        number = ping(rules.allSteps())
        rules.expire(.ping, number)
        #expect(rules.steps() == [.tell(id, "transport.lost waiting"), .close(4408)])
    }

    @Test("limits the time to the acknowledgement")
    func acknowledgement() {
        var rules = SocketProtocol(SocketOptions(), payload: nil)
        _ = rules.begin()
        let id = rules.start(Data()) ?? 0
        #expect(rules.allSteps() == [.start(.acknowledgement, 1)])
        rules.expire(.acknowledgement, 1)
        #expect(rules.steps() == [.tell(id, "timeout.acknowledgement"), .close(4504)])
    }
}
