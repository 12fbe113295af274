internal import Backstop
internal import BackstopCore
internal import Foundation

/// Which responses are read as GraphQL (GraphQL over HTTP, "Status Codes").
enum ResponseRule {
    /// What a request accepts.
    static let accept = "application/graphql-response+json, application/json;q=0.9"

    /// The media type whose body is a GraphQL response whatever the status is.
    static let mediaType = "application/graphql-response+json"

    /// Whether a response is to be read as GraphQL.
    static func isGraphQL(_ response: HTTP.Response) -> Bool {
        response.mediaType == mediaType || response.isSuccess
    }

    /// Lets a response through that is to be read as GraphQL.
    ///
    /// - Throws: `StatusError` for any other: an intermediary may have answered. Readable `errors` are its detail.
    static func judge(_ response: HTTP.Response) throws {
        guard !isGraphQL(response) else {
            return
        }
        let errors = errors(in: response)
        let messages = errors.prefix(3).map(\.message).filter { !$0.isEmpty }
        throw StatusError(
            response.status, detail: messages.isEmpty ? nil : messages.joined(separator: "; "), response: response)
    }

    /// The errors in a body, whatever else is in it; empty when there are none or it cannot be read.
    static func errors(in response: HTTP.Response) -> [GraphQL.Error] {
        guard response.body.withUnsafeBytes({ JSONScan.hasTopLevelKeys(["errors"], in: $0) }) else {
            return []
        }
        return (try? JSONDecoder().decode(ErrorsOnly.self, from: response.body))?.errors ?? []
    }

    /// Whether a body has a member `data`, be it null.
    static func hasDataMember(in response: HTTP.Response) -> Bool {
        response.body.withUnsafeBytes { JSONScan.hasTopLevelKeys(["data"], in: $0) }
    }

    /// Whether a body has data that is not null: then the operation was executed.
    static func hasData(in response: HTTP.Response) -> Bool {
        guard response.body.withUnsafeBytes({ JSONScan.hasTopLevelKeys(["data"], in: $0) }) else {
            return false
        }
        return (try? JSONDecoder().decode(DataOnly.self, from: response.body))?.hasData ?? false
    }

    private struct DataOnly: Decodable {
        let hasData: Bool

        enum CodingKeys: CodingKey {
            case data
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            hasData = try container.contains(.data) && !container.decodeNil(forKey: .data)
        }
    }

    private struct ErrorsOnly: Decodable {
        let errors: [GraphQL.Error]

        enum CodingKeys: CodingKey {
            case errors
        }

        init(from decoder: any Decoder) throws {
            errors = GraphQL.Error.list(in: try decoder.container(keyedBy: CodingKeys.self), forKey: .errors)
        }
    }
}
