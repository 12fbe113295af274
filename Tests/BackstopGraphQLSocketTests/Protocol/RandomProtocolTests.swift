import BackstopCore
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket

@Suite("The protocol of a socket in any order of events", .limited)
struct RandomProtocolTests {
    /// What a test knows of an operation.
    private struct Known {
        var began = 0
        var isOver = false
        var isCancelled = false
        var isSent = false
        var wasEndedByUs = false
    }

    @Test("ends each operation once, and begins and ends nothing that it should not", arguments: Seed.ofRun)
    func schedules(seed: Seed) {
        var random = seed.numbers
        for _ in 0..<5000 {
            schedule(&random)
        }
    }

    private func schedule(_ random: inout SeededNumbers) {
        let options = SocketOptions(
            idle: random.below(3) == 0 ? .zero : .seconds(1), ping: random.below(2) == 0 ? nil : .seconds(1))
        var rules = SocketProtocol(options, payload: nil)
        var known: [UInt64: Known] = [:]
        var timers: [SocketProtocol.Limit: UInt64] = [:]
        var written: [UInt64] = []
        var (pings, pongs, inits, isAcknowledged, closes) = (0, 0, 0, false, 0)
        _ = rules.begin()
        for _ in 0..<random.below(60) {
            let wasOpen = rules.isOpen
            let id = UInt64(random.below(known.count + 2))
            switch random.below(21) {
            case 0...3:
                let id = rules.start(Data("{}".utf8))
                #expect((id != nil) == wasOpen)
                if let id {
                    #expect(known.updateValue(Known(), forKey: id) == nil)
                }
            case 4...5:
                rules.cancel(id)
                known[id]?.isCancelled = true
            case 6: rules.opened()
            case 7...8:
                if inits > 0, !isAcknowledged || random.below(20) == 0 {
                    rules.receive(#"{"type":"connection_ack"}"#)
                    isAcknowledged = true
                }
            case 9...11 where inits > 0: rules.receive(#"{"type":"next","id":"\#(id)","payload":{}}"#)
            case 12 where inits > 0: rules.receive(#"{"type":"complete","id":"\#(id)"}"#)
            case 13 where inits > 0: rules.receive(#"{"type":"error","id":"\#(id)","payload":[]}"#)
            case 14 where inits > 0:
                rules.receive(#"{"type":"ping"}"#)
                pings += wasOpen ? 1 : 0
            case 15...16:
                if !written.isEmpty { rules.written(written.removeFirst()) }
            case 17:
                if let (limit, number) = timers.sorted(by: { $0.value < $1.value }).first, random.below(4) == 0 {
                    rules.expire(limit, number)
                    if timers[limit] == number { timers[limit] = nil }
                }
            case 18 where random.below(6) == 0: rules.closed(SocketClose(code: 1001, reason: ""))
            case 19 where random.below(6) == 0: random.below(2) == 0 ? rules.retire() : rules.stalled()
            case 20:
                if !written.isEmpty { rules.refused(written.removeFirst(), .success(HTTP.Response(status: 400))) }
            default: break
            }
            let actions = rules.takeActions()
            #expect(wasOpen || actions.isEmpty)
            for action in actions {
                switch action {
                case .send(let message, let id):
                    let text = String(decoding: message.json, as: UTF8.self)
                    if let id {
                        #expect(isAcknowledged && known[id]?.isSent == false && known[id]?.isOver == false)
                        known[id]?.isSent = true
                        written.append(id)
                    } else if text.contains("connection_init") {
                        inits += 1
                    } else if text.contains("complete") {
                        let id = UInt64(text.filter(\.isNumber)) ?? 0
                        #expect(known[id]?.isCancelled == true && known[id]?.isSent == true)
                        #expect(known[id]?.isOver == false && known[id]?.wasEndedByUs == false)
                        known[id]?.wasEndedByUs = true
                    } else if text.contains("pong") {
                        pongs += 1
                    }
                case .close: closes += 1
                case .start(let limit, let number, _): timers[limit] = number
                case .stop(let limit): #expect(timers.removeValue(forKey: limit) != nil)
                case .tell(let id, let event):
                    #expect(known[id]?.isOver == false && known[id]?.isCancelled == false)
                    switch event {
                    case .began:
                        #expect(known[id]?.isSent == true && known[id]?.began == 0)
                        known[id]?.began += 1
                    case .result: #expect(known[id]?.began == 1)
                    case .errors, .complete:
                        #expect(known[id]?.began == 1)
                        known[id]?.isOver = true
                    case .refused:
                        #expect(known[id]?.isSent == true && known[id]?.began == 0)
                        known[id]?.isOver = true
                    case .answered, .failed, .lost: known[id]?.isOver = true
                    }
                case .unwanted(let id):
                    #expect(known[id].map { $0.isOver || $0.isCancelled } != false)
                }
            }
        }
        let running = known.values.filter { !$0.isOver && !$0.isCancelled }.count
        #expect(rules.count == running)
        #expect(inits <= 1 && closes <= 1 && pongs == pings)
        if !rules.isOpen {
            #expect(running == 0 && timers.isEmpty)
        }
        rules.shutDown()
        for action in rules.takeActions() {
            if case .tell(let id, .lost) = action {
                known[id]?.isOver = true
            }
        }
        #expect(known.values.allSatisfy { $0.isOver || $0.isCancelled })
    }
}
