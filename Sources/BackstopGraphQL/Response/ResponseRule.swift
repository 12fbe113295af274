package import Backstop
internal import BackstopCore
internal import Foundation

/// Which responses are read as GraphQL (GraphQL over HTTP, "Status Codes").
package enum ResponseRule {
    /// The media types that a request accepts.
    static let accept = "application/graphql-response+json, application/json;q=0.9"

    /// The media type whose body is a GraphQL response, whatever the status.
    static let mediaType = "application/graphql-response+json"

    /// Whether to read a response as GraphQL.
    static func isGraphQL(_ response: HTTP.Response) -> Bool {
        response.mediaType == mediaType || response.isSuccess
    }

    /// The rules for a call.
    static let judge = ResponseJudge(
        check: { try check($0) }, isOwn: { $0.mediaType == mediaType || hasData(in: $0) || hasErrorList(in: $0) },
        isExecuted: { hasFields(in: $0) || hasPlaces(in: $0) })

    /// Accepts a response that is read as GraphQL.
    ///
    /// - Throws: `StatusError` for any other: an intermediary may have answered. Readable `errors` are its detail.
    static func check(_ response: HTTP.Response) throws {
        guard !isGraphQL(response) else {
            return
        }
        let errors = errors(in: response)
        let messages = errors.prefix(3).map { Excerpt.cut($0.message, to: 500) }.filter { !$0.isEmpty }
        throw StatusError(
            response.status, detail: messages.isEmpty ? nil : messages.joined(separator: "; "), response: response,
            isExecuted: hasFields(in: response) || failedInFields(response)
                || errors.contains {
                    $0.leavesDoubt && ($0.code != nil || $0.path.map { $0.elements.count > 1 } ?? false)
                })
    }

    /// The errors in a body, whatever else it contains; empty when there are none or it is malformed.
    package static func errors(in response: HTTP.Response) -> [GraphQL.Error] {
        GraphQL.Error.list(in: member("errors", of: response))
    }

    /// Whether a body has errors in the form of GraphQL.
    private static func hasErrorList(in response: HTTP.Response) -> Bool {
        guard case .array(let entries)? = member("errors", of: response) else {
            return false
        }
        return entries.contains { $0["message"] != nil }
    }

    /// Whether an error in a body has a path, in any form.
    static func hasPlaces(in response: HTTP.Response) -> Bool {
        let entries: [JSONValue]
        switch member("errors", of: response) {
        case .array(let values)?: entries = values
        case let other: entries = other.map { [$0] } ?? []
        }
        return entries.contains { entry in
            switch entry["path"] {
            case nil, .null?: false
            case .array(let steps)?: !steps.isEmpty
            default: true
            }
        }
    }

    /// Whether the server failed while it executed fields.
    static func failedInFields(_ response: HTTP.Response) -> Bool {
        response.status >= 500 && hasPlaces(in: response)
    }

    /// The fields of the root, if all of them are null; nil otherwise.
    static func nullFields(in response: HTTP.Response) -> [String]? {
        guard case .object(let fields)? = member("data", of: response), !hasFields(in: response) else {
            return nil
        }
        return fields.map(\.key).filter { $0 != "__typename" }
    }

    /// Whether a body begins as a JSON object but does not end as one: it was truncated, or is not JSON.
    static func isBroken(_ response: HTTP.Response) -> Bool {
        response.body.withUnsafeBytes { bytes in
            JSONScan.topLevelMembers([], in: bytes) != nil && JSONScan.firstProblem(in: bytes) != nil
        }
    }

    /// A member of a body; nil when there is none or it is malformed.
    private static func member(_ name: String, of response: HTTP.Response) -> JSONValue? {
        response.body.withUnsafeBytes { bytes in
            JSONScan.topLevelMembers([name], in: bytes)?[name].flatMap { range in
                try? JSONValue.read(UnsafeRawBufferPointer(rebasing: bytes[range]), unrepresentable: .null)
            }
        }
    }

    /// Whether a body has a member `data`, even if null.
    static func hasDataMember(in response: HTTP.Response) -> Bool {
        response.body.withUnsafeBytes { JSONScan.hasTopLevelKeys(["data"], in: $0) }
    }

    /// Whether a body has non-null data: then the operation was executed.
    static func hasData(in response: HTTP.Response) -> Bool {
        response.body.withUnsafeBytes { bytes in
            JSONScan.topLevelMembers(["data"], in: bytes)?["data"].map { range in
                !bytes[range].elementsEqual("null".utf8)
            } ?? false
        }
    }

    /// Whether a body has a field of the root that is not null.
    static func hasFields(in response: HTTP.Response) -> Bool {
        guard case .object(let fields)? = member("data", of: response) else {
            return hasData(in: response)
        }
        return fields.contains { $0.key != "__typename" && $0.value != .null }
    }
}
