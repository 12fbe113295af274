import BackstopResilience
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func load<Value: Decodable & Sendable>(
    _ request: URLRequest, as type: Value.Type, with session: URLSession = .shared
) async throws(Failure) -> Value {
    var (body, response): (Data?, URLResponse?)
    do {
        (body, response) = try await session.data(for: request) as (Data, URLResponse)
        if let refusal = Failure(nil, request: request, response: response, body: body) { throw refusal }
        return try JSONDecoder().decode(type, from: body ?? Data())
    } catch {
        throw Failure(error, request: request, response: response, body: body)
    }
}
