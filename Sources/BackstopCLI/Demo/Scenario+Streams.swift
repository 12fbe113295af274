#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import BackstopTransfers
    internal import Foundation

    extension Scenario {
        /// Bodies that are read while they arrive, and files.
        static let streams: [Scenario] = [
            stream(
                "streams-lines", "Lines, each as soon as it has arrived.", "lines?count=3&ms=50", .lines, expect: "ok"),
            stream(
                "streams-cut", "Lines that stop in the middle of the fourth: three, and then one failure.",
                "lines?count=9&cut=25", .lines, expect: "transport.truncated"),
            stream(
                "streams-reset", "JSON lines whose connection is reset.", "json?count=9&cut=100&how=reset",
                .jsonLines(of: Row.self), expect: "transport.lost"),
            stream(
                "streams-silence", "Lines that come no more: the silence has its limit.",
                "lines?count=9&cut=21&how=stall",
                .lines, options: try? StreamOptions(silence: .milliseconds(200)), expect: "timeout.attempt"),
            stream(
                "streams-row", "A row that is not what was expected.", "json?count=3", .jsonLines(of: WrongRow.self),
                expect: "decoding"),
            stream(
                "streams-events", "Events, cut twice: the stream goes on after the last one.",
                "events?count=9&retry=20&cut=80&times=2&id=demo-events", .events(reconnects: true), last: 9,
                expect: "ok"),
            Scenario(
                "streams-refused", "A stream that is refused fails as any call does.", expect: "service.signUp"
            ) { stage, calls in
                let client = try stage.client(observer: calls)
                return CallReport(await client.perform("api-error?status=401", as: .lines) { _ in }, calls: calls.all)
            },
            Scenario(
                "streams-download", "A file of 3 MB, cut four times: each call goes on where the last one stopped.",
                expect: "ok"
            ) { stage, calls in
                let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                    "backstop-demo-\(UInt64.random(in: 0...UInt64.max))")
                defer { try? FileManager.default.removeItem(at: file) }
                let outcome = await (try stage.client(observer: calls)).perform(
                    .get("stream/bytes?bytes=3000000&cut=600000&times=4&id=demo-download"), downloadingTo: file)
                return CallReport(outcome, calls: calls.all)
            },
        ]

        /// - Parameter last: The number of the last element; nil when the result says it all.
        private static func stream<Element>(
            _ name: String, _ title: String, _ target: String, _ format: StreamFormat<Element>,
            options: StreamOptions? = .standard, last: Int64? = nil, expect expected: String
        ) -> Scenario {
            Scenario(name, title, expect: expected) { stage, calls in
                let client = try stage.client(observer: calls)
                let outcome = await client.perform(
                    "stream/" + target, as: format, options: options ?? .standard
                ) { _ in }
                if let last, let value = outcome.value, value.elements != last {
                    throw WrongCount(elements: value.elements, expected: last)
                }
                return CallReport(outcome, calls: calls.all)
            }
        }

        private struct WrongCount: Error {
            let elements: Int64
            let expected: Int64
        }

        private struct Row: Decodable, Sendable {
            let number: Int
        }

        private struct WrongRow: Decodable, Sendable {
            let number: String
        }
    }
#endif
