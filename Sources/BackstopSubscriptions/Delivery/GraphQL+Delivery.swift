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
        /// The media type of a response that is read while it arrives.
        let mediaType: String
        /// What carries it in the place of the client's transport; nil for that.
        let transport: (any HTTP.Transport)?
        /// Finds the frames of a response.
        let frames: @Sendable (_ head: HTTP.Response, _ isSubscription: Bool) throws -> any StreamParser<ResultFrame>

        /// `multipart/mixed`: each result is a part of the response (Apollo's protocol for subscriptions over HTTP, and
        /// all formats of incremental delivery).
        public static let multipart = Delivery(
            accept: "multipart/mixed;subscriptionSpec=1.0, application/graphql-response+json, application/json",
            incrementalAccept: "multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824, "
                + "application/graphql-response+json, application/json",
            mediaType: "multipart/mixed", transport: nil
        ) { head, isSubscription in
            try MultipartFrames(head, hasEnvelopes: isSubscription)
        }

        /// `text/event-stream`: each result is an event (GraphQL over Server-Sent Events, distinct connections mode).
        public static let events = Delivery(
            accept: "text/event-stream, application/graphql-response+json, application/json",
            incrementalAccept: "text/event-stream, application/graphql-response+json, application/json",
            mediaType: "text/event-stream", transport: nil
        ) { _, _ in
            EventFrames()
        }

        /// Lines of JSON from a transport of its own, which itself sees to it that nothing is missing.
        package static func lines(over transport: any HTTP.Transport) -> Delivery {
            let mediaType = "application/jsonl"
            return Delivery(accept: mediaType, incrementalAccept: mediaType, mediaType: mediaType, transport: transport)
            {
                head, _ in
                try LineFrames(head)
            }
        }

        /// Whether a response is read while it arrives.
        func carries(_ head: HTTP.Response) -> Bool {
            head.isSuccess && head.mediaType == mediaType
        }

        /// Finds the frames of a response, which is one frame if it is a plain one.
        func parser(_ head: HTTP.Response, isSubscription: Bool) throws -> any StreamParser<ResultFrame> {
            carries(head) ? try frames(head, isSubscription) : WholeFrame()
        }
    }
}
