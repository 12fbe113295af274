import BackstopTestSupport
import Foundation
import Testing

@testable import Backstop

/// That nothing was sent is said only where it is known: an order may otherwise be made twice.
@Suite("The progress of an exchange", .limited)
struct ExchangeProgressTests {
    /// Where no bytes were counted: with a body or without, whether the session began to send, whether the server has
    /// answered for a moment, and the phase on Apple platforms and on Linux.
    private static let withoutBytes: [(Bool, Bool?, Bool, TransportError.Phase, TransportError.Phase)] = [
        (false, nil, false, .unknown, .unknown), (true, nil, false, .unknown, .connecting),
        (false, false, false, .connecting, .connecting), (true, false, false, .connecting, .connecting),
        (false, true, false, .waiting, .waiting), (true, true, false, .sending, .sending),
        (false, nil, true, .waiting, .waiting), (true, nil, true, .sending, .sending),
    ]

    @Test(
        "says that nothing was sent only when the session's metrics say so, or each byte counts",
        arguments: withoutBytes)
    func uncounted(
        hasContent: Bool, hasBegun: Bool?, isAnnounced: Bool, apple: TransportError.Phase, linux: TransportError.Phase
    ) {
        var progress = ExchangeProgress()
        progress.hasContent = hasContent
        progress.hasBegun = hasBegun
        progress.isAnnounced = isAnnounced
        #expect(progress.phase(countsAtOnce: false) == apple)
        #expect(progress.phase(countsAtOnce: true) == linux)
    }

    @Test("knows from bytes that were sent that there is a connection", arguments: [false, true])
    func counted(countsAtOnce: Bool) {
        var progress = ExchangeProgress()
        progress.hasContent = true
        progress.bytesToSend = 10
        progress.bytesSent = 1
        #expect(progress.phase(countsAtOnce: countsAtOnce) == .sending)
        progress.bytesSent = 10
        #expect(progress.phase(countsAtOnce: countsAtOnce) == .waiting)
    }

    @Test("takes a request for unsent only if the metrics of each try say so")
    func metrics() {
        #expect(ExchangeProgress.hasBegun([]) == nil)
        #expect(ExchangeProgress.hasBegun([nil]) == false)
        #expect(ExchangeProgress.hasBegun([nil, nil]) == false)
        #expect(ExchangeProgress.hasBegun([Date(), nil]) == true)
    }

    @Test("is told in the trace with the times that the session has")
    func timing() {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        let text = ExchangeTiming.text(
            protocolName: "h2", isReused: true,
            [
                ("DNS", ExchangeTiming.time(nil, nil)), ("TLS", ExchangeTiming.time(start, nil)),
                ("first byte", ExchangeTiming.time(start, start.addingTimeInterval(0.0804))),
            ])
        #expect(text == "h2, kept connection, first byte 80 ms")
        #expect(ExchangeTiming.text(protocolName: nil, [("DNS", .seconds(-1))]) == "no connection, DNS 0 ms")
    }
}
