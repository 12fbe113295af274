#if Benchmarks
    internal import Backstop
    internal import BackstopCore
    internal import Foundation

    /// Finding out that a good response carries no API error, against decoding its content.
    enum APIErrorBenchmark {
        struct ShopError: APIError {
            static let identifyingKeys = ["error", "reason"]
            let reason: String
        }

        struct Page: Codable {
            struct Book: Codable {
                var id: Int
                var title: String
                var price: Double
                var tags: [String]
            }

            var page: Int
            var books: [Book]

            /// The JSON of a page with 50 books.
            static func sample() throws -> Data {
                let books = (0..<50).map {
                    Book(id: $0, title: "The book with number \($0)", price: 9.5, tags: ["new", "paper"])
                }
                return try JSONEncoder().encode(Page(page: 1, books: books))
            }
        }

        @concurrent
        static func run() async throws -> [Figure] {
            let body = try Page.sample()
            let response = HTTP.Response(status: 200, headers: [.contentType: "application/json"], body: body)
            let decoder = JSONDecoder()
            let (look, decode, ratio) = try await Measure.pairs(rounds: 30, repetitions: 300) {
                precondition(!ShopError.isCarried(by: response))
            } _: {
                _ = try decoder.decode(Page.self, from: response.body)
            }.wall
            return [
                Figure(
                    name: "looking for an API error / decoding", value: ratio, bound: 0.05,
                    detail: "\(rounded(look / 1000)) µs against \(rounded(decode / 1000)) µs, \(body.count) bytes")
            ]
        }
    }
#endif
