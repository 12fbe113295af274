import Backstop
import Foundation
import Testing

struct Book: Codable, Sendable { var id: Int; var title: String }
struct Books: JSONEndpoint {
    struct Envelope: Decodable { var data: [Book] }
    func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books") }
    func content(from root: Envelope) throws -> [Book] { root.data }
}
struct Plain: JSONEndpoint {
    typealias Content = [Book]
    func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books") }
}
struct Ping: EmptyEndpoint {
    func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "ping") }
}
struct Cover: Endpoint {
    func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "ping") }
    func content(from response: HTTP.Response) throws -> Data { response.body }
}
struct Fixed: HTTP.Transport {
    func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response { HTTP.Response(status: 200, body: Data(#"{"data":[]}"#.utf8)) }
}
struct ShopError: APIError {
    static let identifyingKeys = ["error", "reason"]
    let reason: String
    var failureMessage: String? { reason }
}
@Test func playground() async throws {
    let client = try Client(baseURL: "https://a.example", transport: Fixed()) { Logging(); HTTP.Retry(); Retry(); Decoding(); StatusValidation() }
    print(client.chain, client.chain.orderIssues)
    let books = try await client.send(Books())
    #expect(books.isEmpty)
    try await client.send(Ping())
    _ = try await client.send(Cover())
    do throws(Failure) { _ = try await client.send(Plain()) } catch { print(error) }
    let o = await client.perform(Plain()) { failure in .value([]) }
    #expect(o.value?.count == 0)
    let o2 = await client.perform(Plain()) { On(.decoding) { _ in print("dec") }; On(ShopError.self) { e, f in print(e.reason) } }
    print(o2)
    let s = try Client.standard(baseURL: "https://a.example", apiError: ShopError.self, transport: Fixed())
    #expect(s.chain.orderIssues.isEmpty)
    print(s.chain)
}
