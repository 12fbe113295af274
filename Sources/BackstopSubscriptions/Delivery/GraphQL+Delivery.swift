package import Backstop
internal import BackstopCore
public import BackstopGraphQL
internal import BackstopStreams
internal import Foundation

extension GraphQL {
    /// What carries the results of an operation that has several.
    ///
    /// The server decides which it offers. ``multipart`` is what Apollo Router and gateways like it have;
    /// ``events`` is for servers with graphql-sse, such as GraphQL Yoga; a socket is in `BackstopGraphQLSocket`.
    public struct Delivery: Sendable {
        /// What is accepted for a subscription.
        let accept: String
        /// What is accepted for parts of one result.
        let incrementalAccept: String
        /// What carries it in the place of the client's transport; nil for that.
        let transport: (any HTTP.Transport)?

        private static let plain = "application/graphql-response+json, application/json"
        private static let eventType = "text/event-stream"
        private static let multipartType = "multipart/mixed"
        private static let linesType = "application/jsonl"

        /// `multipart/mixed`: each result is a part of the response (Apollo's protocol for subscriptions over HTTP, and
        /// all formats of incremental delivery).
        public static let multipart = Delivery(
            accept: "\(multipartType);boundary=\"graphql\";subscriptionSpec=1.0, \(plain)",
            incrementalAccept: "\(multipartType);incrementalSpec=v0.2, \(multipartType);deferSpec=20220824, \(plain)",
            transport: nil)

        /// `text/event-stream`: each result is an event (GraphQL over Server-Sent Events, distinct connections mode).
        public static let events = Delivery(
            accept: "\(eventType), \(plain)", incrementalAccept: "\(eventType), \(plain)", transport: nil)

        /// Lines of JSON from a transport of its own, which itself sees to it that nothing is missing.
        package static func lines(over transport: any HTTP.Transport) -> Delivery {
            Delivery(accept: linesType, incrementalAccept: linesType, transport: transport)
        }

        /// The media types that are read while they arrive: also the one that was not asked for.
        var mediaTypes: [String] {
            transport == nil ? [Self.multipartType, Self.eventType] : [Self.linesType]
        }

        /// Whether a response is read while it arrives.
        func carries(_ head: HTTP.Response) -> Bool {
            head.isSuccess && head.mediaType.map(mediaTypes.contains) ?? false
        }

        /// Finds the frames of a response, which is one frame if it is a plain one.
        func parser(_ head: HTTP.Response, isSubscription: Bool) throws -> any StreamParser<ResultFrame> {
            guard carries(head) else {
                return WholeFrame()
            }
            return switch head.mediaType {
            case Self.multipartType: try MultipartFrames(head, hasEnvelopes: isSubscription)
            case Self.eventType: EventFrames()
            default: try LineFrames(head)
            }
        }
    }
}
