#if Demo
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import Foundation

    /// Why a request of a page is not served.
    struct WebRefusal: Error, Hashable {
        let status: Int
        /// A sentence that says what to do instead.
        let reason: String

        static func badRequest(_ reason: String) -> WebRefusal {
            WebRefusal(status: 400, reason: reason)
        }

        /// `{"error":true,"reason":"..."}`
        var json: String {
            JSONWriter.object([("error", "true"), ("reason", JSONWriter.quoted(reason))])
        }
    }

    extension FaultServer.Mount.Response {
        /// JSON, with the headers that everything of a page has.
        static func json(_ text: String, status: Int = 200) -> Self {
            Self(
                status: status, headers: [("Content-Type", "application/json")] + WebHeaders.all,
                body: .data(Data(text.utf8)))
        }

        /// Events as they happen (HTML, 9.2), with the headers that everything of a page has.
        static func events(_ pieces: AsyncStream<Data>) -> Self {
            Self(headers: [("Content-Type", "text/event-stream")] + WebHeaders.all, body: .stream(pieces))
        }
    }

    /// What browsers are told of everything that belongs to a page.
    enum WebHeaders {
        static let all = [
            (
                name: "Content-Security-Policy",
                // Nothing inline and nothing from elsewhere, so that a text of a server can never become code.
                value: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            ),
            (name: "X-Content-Type-Options", value: "nosniff"),
            (name: "Referrer-Policy", value: "no-referrer"),
            (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
            (name: "Cross-Origin-Opener-Policy", value: "same-origin"),
            (name: "Cache-Control", value: "no-store"),
        ]
    }

    /// An event of a stream of events.
    enum WebEvent {
        /// - Parameter json: Its data, on one line.
        static func data(_ name: String, _ json: String) -> Data {
            Data("event: \(name)\ndata: \(json)\n\n".utf8)
        }
    }
#endif
