#if Observability
    import BackstopCore
    import BackstopObservability
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import InMemoryLogging
    import InMemoryTracing
    import MetricsTestKit
    import Testing
    import Tracing

    /// Holds the tables of the guide against what calls really write, in both directions.
    @Suite("Docs/Interceptors.md: observability", .limited)
    struct ObservabilityTablesTests {
        private let guide: Guide
        /// A rig whose backends have everything that there is.
        private let rig: Rig

        init() async throws {
            guide = try Guide("Docs/Interceptors.md")
            rig = Rig(
                .respond { _, context in
                    context.recordHop(try HTTP.Request(.get, "https://other.example.com/"))
                    var response = HTTP.Response(status: 503)
                    response.httpVersion = "1.1"
                    return response
                },
                .status(404), .status(200))
            let client = try rig.plain()
                .withChain { try $0.inserting(RequestLogging(.attempt), inside: .retry).prepending(RequestLogging()) }
                .observed(logger: rig.logger(), metrics: rig.metrics)
            let attempts = try client.withChain {
                try $0.inserting(OwnHeader(), outside: .attemptTracing)
            }
            await rig.tracing {
                _ = await client.perform(Books()) { _ in .handled }
                _ = await attempts.result(of: Order(method: try? HTTP.Method("BREW")))
            }
        }

        private struct OwnHeader: HTTP.Interceptor {
            func intercept(
                _ request: HTTP.Request, context: CallContext, next: HTTP.Next
            ) async throws -> HTTP.Response {
                var request = request
                request.headers["in-memory-span-id"] = "own"
                return try await next(request)
            }
        }

        /// The words in code of a cell.
        private func words(_ cell: String) -> Set<String> {
            Set(cell.split(separator: ",").map { $0.filter { $0 != "`" && $0 != " " } })
        }

        private func rows(_ columns: [String], under heading: String) throws -> [[String]] {
            try guide.table(columns, under: heading)
        }

        @Test("has each metric with its type, unit and labels, and nothing else")
        func metrics() throws {
            let backend = rig.backend
            var found: [String: [String]] = [:]
            func add(_ name: String, _ type: String, _ labels: [(String, String)]) {
                let row = [type, labels.map(\.0).sorted().joined(separator: ", ")]
                #expect(found[name] == nil || found[name] == row, "\(name) has different labels")
                found[name] = row
            }
            backend.timers.forEach { add($0.label, "timer, seconds", $0.dimensions) }
            backend.counters.forEach { add($0.label, "counter", $0.dimensions) }
            backend.recorders.forEach { add($0.label, "recorder", $0.dimensions) }
            backend.meters.forEach { add($0.label, "meter", $0.dimensions) }
            let rows = try rows(["metric", "type", "unit", "labels"], under: "Metrics")
            let written = rows.map { row -> (String, [String]) in
                let type = row[1] == "timer" ? "timer, \(row[2])" : row[1]
                return (row[0].filter { $0 != "`" }, [type, words(row[3]).sorted().joined(separator: ", ")])
            }
            #expect(Dictionary(written, uniquingKeysWith: { first, _ in first }) == found)
            #expect(rows.count == found.count)
        }

        @Test("has each label of a metric, and nothing else")
        func labels() throws {
            let backend = rig.backend
            let found =
                backend.timers.map(\.dimensions) + backend.counters.map(\.dimensions)
                + backend.recorders.map(\.dimensions) + backend.meters.map(\.dimensions)
            let rows = try rows(["label", "values"], under: "Metrics")
            #expect(Set(rows.flatMap { words($0[0]) }) == Set(found.joined().map(\.0)))
        }

        @Test("has each name of metadata, and nothing else")
        func metadata() throws {
            let rows = try rows(["metadata", "in", "value"], under: "Logs")
            #expect(Set(rows.flatMap { words($0[0]) }) == Set(rig.log.entries.flatMap(\.texts.keys)))
        }

        @Test("has each attribute with the spans that have it, and nothing else")
        func attributes() throws {
            func names(_ kind: SpanKind) -> Set<String> {
                Set(rig.tracer.finishedSpans.filter { $0.kind == kind }.flatMap(\.texts.keys))
            }
            let (calls, attempts) = (names(.internal), names(.client))
            let found = calls.union(attempts).map { name in
                [name, calls.contains(name) ? attempts.contains(name) ? "both" : "call" : "attempt"]
            }
            let rows = try rows(["attribute", "of", "value"], under: "Traces").map { row in
                [row[0].filter { $0 != "`" }, row[1]]
            }
            #expect(rows.sorted { $0[0] < $1[0] } == found.sorted { $0[0] < $1[0] })
        }

        @Test("has each event with its attributes, and nothing else")
        func events() throws {
            var found: Set<[String]> = []
            for span in rig.tracer.finishedSpans {
                for event in span.events {
                    var names: [String] = []
                    event.attributes.forEach { name, _ in names.append(name) }
                    found.insert([
                        event.name, span.kind == .client ? "attempt" : "call", names.sorted().joined(separator: ", "),
                    ])
                }
            }
            let rows = try rows(["event", "of", "attributes", "meaning"], under: "Traces").map { row in
                [row[0].filter { $0 != "`" }, row[1], words(row[2]).sorted().joined(separator: ", ")]
            }
            #expect(Set(rows) == found)
        }

        @Test("has the limits of ClientMetrics")
        func limits() throws {
            // given
            let match = try #require(
                guide.text.firstMatch(of: /names (\d+) servers and, in each metric, (\d+) sets of labels/))
            let (servers, sets) = (Int(match.output.1) ?? 0, Int(match.output.2) ?? 0)
            let backend = TestMetrics()
            let metrics = ClientMetrics(factory: backend)
            // when
            for number in 0..<600 {
                let request = try HTTP.Request(.get, "https://h\(number).example.com")
                metrics.observe(Failure(TransportError(.lost), request: request), outcome: .thrown)
                let same = try HTTP.Request(.get, "https://h0.example.com")
                metrics.observe(Failure(StatusError(1000 + number), request: same), outcome: .thrown)
            }
            // then: and one more for the rest
            let hosts = Set(backend.counts("backstop.failures").compactMap { $0.labels["server.address"] })
            #expect(hosts.count == servers + 1)
            let codes = backend.counts("backstop.failures").filter { $0.labels["server.address"] == "h0.example.com" }
            #expect(codes.count == sets + 1)
        }
    }
#endif
