#if Demo
    internal import BackstopCore
    internal import BackstopGraphQL

    /// The faults that the playground has a button for, in groups.
    struct PlaygroundFaults: Sendable {
        /// One of them.
        struct Fault: Sendable {
            let title: String
            /// What it shows, in a sentence.
            let detail: String
            let target: String
            /// Parameters of the call beyond the target.
            let settings: [String: String]
            /// Roles that are switched on for it.
            let roles: [Role]

            init(
                _ title: String, _ target: String, _ detail: String, _ settings: [String: String] = [:],
                roles: [Role] = []
            ) {
                self.title = title
                self.detail = detail
                self.target = target
                self.settings = settings
                self.roles = roles
            }
        }

        let title: String
        let faults: [Fault]

        static let all = [
            PlaygroundFaults(title: "Statuses", faults: statuses),
            PlaygroundFaults(title: "Bodies", faults: bodies),
            PlaygroundFaults(title: "Connection", faults: connection),
            PlaygroundFaults(title: "Time", faults: time),
            PlaygroundFaults(title: "Streams", faults: streams),
            PlaygroundFaults(title: "Redirects", faults: redirects),
            PlaygroundFaults(title: "GraphQL", faults: graphQL + live + sockets),
        ]

        private static let statuses = [
            Fault("503 twice, then 200", "/flaky/503?times=2", "It may pass, so it is sent again."),
            Fault("503 for good", "/status/503", "All attempts are used."),
            Fault(
                "503, back in 2 seconds", "/status/503?retryAfter=2", "Retry-After is the least wait between attempts."),
            Fault(
                "503, back in an hour", "/status/503?retryAfter=3600",
                "Longer than anybody waits: the call stops and says so."),
            Fault(
                "429 with a date", "/flaky/429?times=1&retryAfterDate=2", "Retry-After may be a date as well."),
            Fault("500", "/status/500", "A fault of the server."),
            Fault("404", "/status/404", "Trying again would not help, so it is sent once."),
            Fault("401", "/status/401", "The caller has to sign in."),
            Fault(
                "400 with a reason", "/isUserNameAvailable?userName=abc", "The service's own words.",
                ["errors": "reason"]),
            Fault(
                "503 to an order", "/orders", "A POST without a key might order twice: it is sent once.",
                ["method": "POST"]),
            Fault(
                "503 to a payment", "/payments", "A POST with an idempotency key may be sent again.",
                ["method": "POST", "key": "1"]),
            Fault("204", "/no-content", "No body, and none is missed."),
        ]

        private static let bodies = [
            Fault("Two books", "/books", "A good response.", ["content": "books"]),
            Fault(
                "A text for a number", "/wrong-type", "The path, what was expected, and what came.",
                ["content": "items"]),
            Fault("A missing key", "/missing-key", "Which one, in which item.", ["content": "items"]),
            Fault("Broken JSON", "/broken-json", "Where the mistake is.", ["content": "books"]),
            Fault("Nothing", "/empty", "200 and no bytes.", ["content": "books"]),
            Fault(
                "A sign-in page", "/sign-in", "HTML with 200, as the network of a hotel answers.", ["content": "books"]),
            Fault("600 levels", "/deep?depth=600", "Deeper than anything is read.", ["content": "books"]),
            Fault("A byte order mark", "/bom-json", "Not an error: it is skipped."),
            Fault("Compressed", "/gzip", "56 bytes that become 5011."),
            Fault("Problem details", "/problem?status=404", "RFC 9457: a typed error."),
            Fault(
                "An error with 401", "/api-error?status=401", "An error body of the service's own.",
                ["errors": "reason"]),
            Fault("An error with 200", "/api-error?status=200", "A 200 may carry an error too.", ["errors": "reason"]),
            Fault(
                "A field is missing", "/isUserNameAvailable?userName=illegalresponse", "The app may be too old.",
                ["content": "availability", "errors": "reason"]),
            Fault("404 as a page", "/html-404", "The title of the page is in the report."),
            Fault("Too large", "/big?bytes=100000000", "Reading stops at the limit."),
            Fault(
                "4 KB of books", "/json?bytes=4096", "Books without an envelope: not what was expected.",
                ["content": "books"]),
        ]

        private static let connection = [
            Fault("Reset", "/reset", "Before any byte of a response."),
            Fault("Reset midway", "/reset-midway", "In the middle of the body."),
            Fault("Cut short", "/cut", "1000 bytes announced, 300 sent."),
            Fault("Cut in chunks", "/cut-chunked", "The end of the chunks never comes."),
            Fault("Not HTTP", "/not-http", "Bytes that mean nothing."),
            Fault("A header of 8 KB", "/headers?bytes=8192", "Long, and still all right."),
            Fault("A cookie", "/cookie?name=session&value=1", "It is not kept."),
            Fault("What was sent", "/echo?a=1", "The request as it arrived."),
        ]

        private static let time = [
            Fault("Silence", "/hang", "No response at all: each attempt has its limit."),
            Fault("Silence midway", "/hang-body", "A head, a few bytes, and nothing more."),
            Fault("Half a second", "/delay?ms=500", "Slow, but in time."),
            Fault("Ten seconds", "/delay?ms=10000", "Too slow for an attempt."),
            Fault(
                "Too slow for the call", "/delay?ms=10000", "The deadline ends the call, whatever attempts are left.",
                ["deadline": "2"]),
            Fault("Drop by drop", "/slow?chunks=10&ms=100", "A second for ten chunks."),
        ]

        private static let streams = [
            Fault("Lines", "/stream/lines?count=10&ms=200", "Each as it arrives.", ["content": "stream"]),
            Fault(
                "Cut midway", "/stream/lines?count=10&ms=200&cut=30", "Four lines, and then a failure that says so.",
                ["content": "stream"]),
            Fault(
                "Silence in a stream", "/stream/lines?count=10&ms=200&cut=30&how=stall",
                "The time of an attempt limits each wait.", ["content": "stream"]),
            Fault(
                "Events, cut twice", "/stream/events?count=9&ms=100&retry=300&cut=80&times=2",
                "It goes on after the last event that came.", ["content": "events"]),
            Fault("A stream refused", "/status/404", "It fails as any call does.", ["content": "stream"]),
        ]

        private static let redirects = [
            Fault("To another path", "/redirect?to=/books&status=302", "It is followed.", ["content": "books"]),
            Fault("To another origin", "/redirect-other?status=307", "Credentials stay behind."),
            Fault("In circles", "/redirect-loop", "The loop is seen at once."),
            Fault("Out of here", "/redirect?to=https://example.com/", "This client does not go there."),
        ]

        private static let graphQL = [
            Fault("A hero", "/graphql", "Data and no errors.", ["operation": "hero"]),
            Fault("Data and errors", "/graphql", "A result with both.", ["operation": "secret"]),
            Fault("A mistake in the query", "/graphql", "Errors and no data.", ["operation": "mistaken"]),
            Fault(
                "A mutation", "/graphql?status=503&type=json", "503: it may have been executed, so it is sent once.",
                ["operation": "review"]),
            Fault("503 once", "/graphql?flaky=503&times=1", "A query may be sent again.", ["operation": "hero"]),
            Fault(
                "Neither data nor errors", "/graphql?malformed=noDataNoErrors", "Not a GraphQL response.",
                ["operation": "hero"]),
            Fault("A page", "/graphql?malformed=html", "HTML in the place of a response.", ["operation": "hero"]),
            Fault(
                "401 by a proxy", "/graphql?status=401&type=json", "Readable errors are kept.",
                ["operation": "mistaken"]),
            Fault(
                "Hash first", "/graphql?registry=playground&forget=1",
                "The server does not know the hash: the text follows.",
                ["operation": "hero"], roles: [.persistedQueries]),
            Fault(
                "Hashes unknown", "/graphql?apq=off", "A server that knows nothing of hashes.", ["operation": "hero"],
                roles: [.persistedQueries]),
        ]

        private static let live = [
            Fault(
                "A subscription, cut twice", "/graphql/live?count=12&ms=250&cut=700&times=2",
                "Subscribed again after each loss; what was sent meanwhile is missing, and said to be.",
                ["operation": "counter"]),
            Fault(
                "An end without a word", "/graphql/live?count=3&ms=250&fault=unfinished",
                "A failure, never an end: subscribed again, until the policy gives up.", ["operation": "counter"]),
            Fault(
                "Parts that come later", "/graphql/live?format=2022&ms=400", "All that has arrived, each time.",
                ["operation": "deferred"]),
            Fault(
                "A shared stream, cut twice", "/graphql/stream?count=15&ms=250&cut=330&times=2",
                "Opened and subscribed again; one stream of events may carry many subscriptions.",
                ["operation": "counter", "by": "shared-events"]),
        ]

        private static let sockets: [Fault] =
            ResultCarrier.hasSockets
            ? [
                Fault(
                    "A WebSocket, cut twice", "/graphql/live?count=15&ms=250&cut=330&times=2",
                    "Opened and subscribed again; one socket may carry many subscriptions.",
                    ["operation": "counter", "by": "websocket"]),
                Fault(
                    "A WebSocket forbidden", "/graphql/live?close=4403",
                    "Closed with 4403 before anything was sent, which is like a 403.",
                    ["operation": "counter", "by": "websocket"]),
            ] : []

        /// All that the page needs to draw itself: the faults, the roles, and what carries results.
        static let json: String = {
            let groups = all.map { group in
                JSONWriter.object([
                    ("title", JSONWriter.quoted(group.title)), ("faults", JSONWriter.list(group.faults.map(\.json))),
                ])
            }
            let roles = PlaygroundChain.offers.map { offer in
                JSONWriter.object([
                    ("name", JSONWriter.quoted(offer.role.name)), ("title", JSONWriter.quoted(offer.role.title)),
                    ("summary", JSONWriter.quoted(offer.summary)), ("standard", offer.isStandard ? "true" : "false"),
                ])
            }
            return JSONWriter.object([
                ("groups", JSONWriter.list(groups)), ("roles", JSONWriter.list(roles)),
                ("carriers", JSONWriter.list(ResultCarrier.available.map { JSONWriter.quoted($0.rawValue) })),
            ])
        }()
    }

    extension PlaygroundFaults.Fault {
        fileprivate var json: String {
            let settings = settings.sorted { $0.key < $1.key }.map { ($0.key, JSONWriter.quoted($0.value)) }
            return JSONWriter.object([
                ("title", JSONWriter.quoted(title)), ("detail", JSONWriter.quoted(detail)),
                ("target", JSONWriter.quoted(target)), ("settings", JSONWriter.object(settings)),
                ("roles", JSONWriter.list(roles.map { JSONWriter.quoted($0.name) })),
            ])
        }
    }
#endif
