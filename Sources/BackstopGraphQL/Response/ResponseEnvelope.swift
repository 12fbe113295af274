internal import Backstop
internal import BackstopCore
internal import Foundation

/// A GraphQL response as it came: data, errors and extensions, decoded in one pass over the bytes.
struct ResponseEnvelope<Content: Decodable & Sendable>: Decodable {
    /// The data; nil when it is absent, null, or could not be decoded.
    let data: Content?
    /// Whether there is a member `data`, be it null: then the operation was executed.
    let hasData: Bool
    /// Why the data could not be decoded; nil when it could, or when it is absent or null.
    let dataError: (any Error)?
    let errors: [GraphQL.Error]
    let extensions: [String: JSONValue]

    enum CodingKeys: CodingKey {
        case data, errors, extensions
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hasData = container.contains(.data)
        var data: Content?
        var dataError: (any Error)?
        // Null is asked for beforehand: some types, an empty one for example, can be decoded from anything.
        if hasData, (try? container.decodeNil(forKey: .data)) != true {
            do {
                data = try container.decode(Content.self, forKey: .data)
            } catch {
                dataError = error
            }
        }
        self.data = data
        self.dataError = dataError
        errors = GraphQL.Error.list(in: container, forKey: .errors)
        extensions = container.lenientMembers(forKey: .extensions)
    }

    /// Reads the envelope.
    ///
    /// - Throws: `GraphQLFailure.invalidData` for a body that is not a JSON object.
    static func read(_ response: HTTP.Response) throws -> ResponseEnvelope {
        do {
            return try JSONDecoder().decode(Self.self, from: response.body)
        } catch {
            throw GraphQLFailure.invalidData(
                DecodingFailure(
                    error, decoding: GraphQL.Result<Content>.self, from: response.body,
                    contentType: response.headers[.contentType]))
        }
    }

    /// What the response means.
    ///
    /// - Throws: ``GraphQLFailure``.
    func result(_ response: HTTP.Response, failsOnPartialData: Bool) throws -> GraphQL.Result<Content> {
        guard let data else {
            guard errors.isEmpty else {
                // The errors explain why the data is null, or does not fit; what did not fit comes along.
                throw GraphQLFailure.serviceErrors(
                    GraphQL.ErrorList(
                        errors: errors, extensions: extensions, decodingFailure: decodingFailure(in: response)))
            }
            guard let failure = decodingFailure(in: response) else {
                throw GraphQLFailure.missingData
            }
            throw GraphQLFailure.decodingError(failure)
        }
        let result = GraphQL.Result(data: data, errors: errors, extensions: extensions, response: response)
        guard errors.isEmpty || !failsOnPartialData else {
            throw GraphQLFailure.recoverableError(GraphQL.PartialData(result))
        }
        return result
    }

    /// Why the data did not fit; nil when it is absent or null.
    private func decodingFailure(in response: HTTP.Response) -> DecodingFailure? {
        guard let dataError else {
            return nil
        }
        return DecodingFailure(
            dataError, decoding: Content.self, from: response.body, contentType: response.headers[.contentType])
    }
}
