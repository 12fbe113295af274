#if Benchmarks
    internal import Backstop
    internal import BackstopCore
    internal import Foundation

    /// What every parser that a server's bytes reach costs at 1, 2, 4 and 8 times the size, and the depth.
    ///
    /// A figure is the cost of a byte at the eightfold against that at the single size: 1 is linear, 8 would be
    /// quadratic. The inputs are those that a hostile server would choose.
    enum ParserBenchmark {
        private struct Parser: Sendable {
            let name: String
            let parse: @Sendable ([UInt8]) -> Void
        }

        /// A text of at least so many bytes.
        private struct Input: Sendable {
            let name: String
            let make: @Sendable (Int) -> String
        }

        private struct Comment: Decodable {
            let value: JSONValue
            let answers: [Comment]?
        }

        private struct Renamed: Decodable {
            let firstValue: JSONValue
        }

        private static let size = 16_384

        @concurrent
        static func run() async throws -> [Figure] {
            var figures: [Figure] = []
            for parser in parsers {
                // The worst of all inputs is what a server would choose.
                let grown = inputs.map { (name: "size, \($0.name)", cost: cost(of: parser, at: $0)) }
                let deepened = [false, true].map {
                    (name: "depth, \($0 ? "objects" : "arrays")", cost: depth(parser, $0))
                }
                for (kind, rows) in [("size", grown), ("depth", deepened)] {
                    guard let worst = rows.max(by: { $0.cost.ratio < $1.cost.ratio }) else {
                        continue
                    }
                    let slowest = rows.max { $0.cost.last < $1.cost.last }
                    let steps = worst.cost.steps.map { rounded($0) }.joined(separator: ", ")
                    figures.append(
                        Figure(
                            name: "\(parser.name), \(kind): cost of a byte at 8 times / at 1", value: worst.cost.ratio,
                            bound: 2.5,
                            detail: "1, 2, 4, 8 times: \(steps) (\(worst.name)); at most "
                                + "\(rounded(slowest?.cost.last ?? 0)) ns a byte (\(slowest?.name ?? ""))"))
                }
            }
            return figures + [try await depthScan(), try await valueInside()]
        }

        /// What looking at the depth adds to decoding.
        private static func depthScan() async throws -> Figure {
            let body = try APIErrorBenchmark.Page.sample()
            let decoder = JSONDecoder()
            let (look, decode, ratio) = try await Measure.pairs(rounds: 30, repetitions: 300) {
                precondition(!body.withUnsafeBytes { JSONScan.isTooDeep($0) })
            } _: {
                _ = try decoder.decode(APIErrorBenchmark.Page.self, from: body)
            }.wall
            return Figure(
                name: "looking at the depth / decoding", value: ratio, bound: 0.05,
                detail: "\(rounded(look / 1000)) µs against \(rounded(decode / 1000)) µs, \(body.count) bytes")
        }

        /// A value inside an app's own type, which is asked of a decoder.
        private static func valueInside() async throws -> Figure {
            let leaves = Array(repeating: #"1,"a",true,null,1.5,{"k":[]}"#, count: 500).joined(separator: ",")
            let body = Data(#"{"value":[\#(leaves)]}"#.utf8)
            let decoder = JSONDecoder()
            let response = HTTP.Response(status: 200, body: body)
            let (inside, alone, ratio) = try await Measure.pairs(rounds: 10, repetitions: 10) {
                _ = try response.json(Comment.self, decoder: decoder)
            } _: {
                _ = try JSONValue(parsing: body)
            }.wall
            return Figure(
                name: "a JSON value inside another type / alone", value: ratio, bound: nil,
                detail: "\(rounded(inside / 1000)) µs against \(rounded(alone / 1000)) µs, \(body.count) bytes")
        }

        private struct Cost {
            /// Nanoseconds for a byte at 1, 2, 4 and 8 times, against the first.
            let steps: [Double]
            let last: Double

            var ratio: Double { steps.last ?? 0 }
        }

        private static func cost(of parser: Parser, at input: Input) -> Cost {
            cost(of: parser, [1, 2, 4, 8].map { Array(input.make(size * $0).utf8) })
        }

        /// The same number of bytes in 8, 16, 32 and 64 levels, again and again; the leaves are at the bottom.
        private static func depth(_ parser: Parser, _ objects: Bool) -> Cost {
            cost(
                of: parser,
                [8, 16, 32, 62].map { depth in
                    let open = String(repeating: objects ? #"{"k":"# : "[", count: depth - 1)
                    let close = String(repeating: objects ? "}" : "]", count: depth - 1)
                    let piece = open + #"[1,"a",true]"# + close
                    let count = size * 4 / piece.utf8.count
                    return Array(("[" + Array(repeating: piece, count: count).joined(separator: ",") + "]").utf8)
                })
        }

        private static func cost(of parser: Parser, _ bodies: [[UInt8]]) -> Cost {
            var best = bodies.map { _ in Double.infinity }
            for _ in 0..<7 {
                for (index, body) in bodies.enumerated() {
                    // The processor's time: other work on the machine does not count.
                    var repetitions = 0.0
                    let start = Measure.processorTime()
                    var end = start
                    repeat {
                        parser.parse(body)
                        repetitions += 1
                        end = Measure.processorTime()
                    } while end - start < 300_000
                    best[index] = min(best[index], (end - start) / repetitions / Double(max(body.count, 1)))
                }
            }
            return Cost(steps: best.map { $0 / best[0] }, last: best[best.count - 1])
        }

        private static let inputs: [Input] = [
            repeated("given numbers", #""value":1"#),
            Input(name: "parameters") { String(repeating: "Bearer+", count: $0 / 7) + "=\"" },
            repeated("open brackets", "["), repeated("open objects", #"{"a":"#), repeated("quotes", "\""),
            repeated("backslashes", "\\"), repeated("escaped quotes", "\\\""), repeated("keys", #"{"k":1},"#),
            repeated("one text", "a"), repeated("secrets", #""password":"a","#), repeated("cut secrets", #""token":"#),
            repeated("names", "token=a "), repeated("web tokens", "eyJ"), repeated("schemes", "Bearer "),
            repeated("slashes", "//"), repeated("tags", "<input "), repeated("closed tags", "<p>"),
            repeated("titles", "<title"), repeated("items", "a=b&"), repeated("percent", "%25"),
            repeated("commas", ","),
            repeated("boundaries", "--x\n"), repeated("fields", "--x\nContent-Disposition: form-data; name=pin\n\n1\n"),
            repeated("humps", "aB"), repeated("hyphens", "a-"), repeated("cookies", "a=b, c"), repeated("digits", "1"),
            repeated("spaces", " "), repeated("lines", "\n"), repeated("ellipses", "é"), repeated("entities", "&amp;"),
            Input(name: "one array") { size in
                "[" + String(repeating: #"1,"a\u0041",true,null,-1.5e3,"#, count: size / 30) + "1]"
            },
            Input(name: "one object") { size in
                "{" + (0..<(size / 12)).map { #""k\#($0)":\#($0)"# }.joined(separator: ",") + "}"
            },
            Input(name: "one number") { size in "[" + String(repeating: "7", count: size) + "]" },
            Input(name: "a page") { size in "<html><title>" + String(repeating: "sign &lt", count: size / 8) },
        ]

        private static func repeated(_ name: String, _ piece: String) -> Input {
            Input(name: name) { String(repeating: piece, count: $0 / piece.utf8.count) }
        }

        private static func redactor(_ name: String, _ type: String?) -> Parser {
            let redaction = Redaction.standard.adding("iban", "tax number")
            return Parser(name: name) { _ = redaction.body(String(decoding: $0, as: UTF8.self), contentType: type) }
        }

        private static func diagnosis(_ name: String, _ error: any Error) -> Parser {
            Parser(name: name) {
                _ = DecodingFailure(error, decoding: [String: Int].self, from: $0, contentType: "text/html").explanation
            }
        }

        private static let parsers: [Parser] = [
            Parser(name: "JSONScan.firstProblem") { $0.withUnsafeBytes { _ = JSONScan.firstProblem(in: $0) } },
            Parser(name: "JSONScan.isTooDeep") { $0.withUnsafeBytes { _ = JSONScan.isTooDeep($0) } },
            Parser(name: "JSONScan.isTooDeep, JSON5") {
                $0.withUnsafeBytes { _ = JSONScan.isTooDeep($0, isLenient: true) }
            },
            Parser(name: "JSONScan.hasTopLevelKeys") {
                $0.withUnsafeBytes { _ = JSONScan.hasTopLevelKeys(["error", "reason"], in: $0) }
            },
            Parser(name: "JSONScan.locate") { bytes in
                let path = (0..<64).map { JSONPathElement.index($0 % 2) } + [.key("k")]
                bytes.withUnsafeBytes { _ = JSONScan.locate(path, in: $0) }
            },
            Parser(name: "JSONValue") { _ = try? JSONValue(parsing: Data($0)) },
            Parser(name: "JSONValue by JSONDecoder") { bytes in
                let response = HTTP.Response(status: 200, body: Data(bytes))
                _ = try? response.json([JSONValue?].self)
            },
            Parser(name: "JSONValue by JSONDecoder, keys converted") { bytes in
                let response = HTTP.Response(status: 200, body: Data(#"{"first_value":"#.utf8 + bytes + "}".utf8))
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                _ = try? response.json(Renamed.self, decoder: decoder)
            },
            Parser(name: "JSONValue by JSONDecoder, UTF-16") { bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                let response = HTTP.Response(status: 200, body: text.data(using: .utf16LittleEndian) ?? Data())
                _ = try? response.json([JSONValue?].self)
            },
            redactor("Redaction of JSON", "application/json"), redactor("Redaction of text", nil),
            redactor("Redaction of forms", "application/x-www-form-urlencoded"),
            redactor("Redaction of multipart", "multipart/form-data; boundary=x"),
            redactor("Redaction of HTML", "text/html"),
            Parser(name: "Redaction of URLs") {
                _ = Redaction.standard.url("https://a.example/?" + String(decoding: $0, as: UTF8.self))
            },
            Parser(name: "Redaction of names") {
                _ = Redaction.standard.isSensitive(String(decoding: $0, as: UTF8.self))
            },
            diagnosis("Diagnosis of syntax", DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))),
            diagnosis(
                "Diagnosis of a key",
                DecodingError.keyNotFound(Key(stringValue: "k12345"), .init(codingPath: [], debugDescription: ""))),
            Parser(name: "Diagnosis of a decoder's words") { bytes in
                let words = String(decoding: bytes, as: UTF8.self)
                let error = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: words))
                _ = DecodingFailure(error, decoding: Int.self, from: [0x31], contentType: nil)
            },
            Parser(name: "Retry-After") {
                _ = RetryAfter.wait(from: String(decoding: $0, as: UTF8.self), now: .seconds(1_700_000_000))
            },
        ]

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }
#endif
