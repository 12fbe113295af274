#if Demo
    internal import BackstopFaultServer
    internal import Foundation

    /// The files of the pages, which are part of the command.
    struct WebFile {
        /// What it is, as its media type.
        enum Kind: String {
            case page = "text/html; charset=utf-8"
            case script = "text/javascript; charset=utf-8"
            case style = "text/css; charset=utf-8"
            case image = "image/svg+xml"
        }

        let path: String
        let bytes: [UInt8]
        let type: Kind
        /// Whether it is a page, and not part of one.
        var isPage: Bool { type == .page }

        /// The route that serves it, to the browser of this machine only.
        var mount: FaultServer.Mount {
            let response = response
            return .service(path, methods: ["GET", "HEAD"], isPage: isPage) { _ throws(WebRefusal) in response }
        }

        /// The file, as it is sent.
        var response: FaultServer.Mount.Response {
            FaultServer.Mount.Response(
                headers: [("Content-Type", type.rawValue)] + WebHeaders.all, body: .data(Data(bytes)))
        }
    }

    extension FaultServer.Mount {
        /// A route that answers what it throws with its status and its reason.
        init(_ path: String, refusing answer: @escaping @Sendable (Call) async throws(WebRefusal) -> Response) {
            self.init(path) { call in
                do throws(WebRefusal) {
                    return try await answer(call)
                } catch {
                    return .json(error.json, status: error.status)
                }
            }
        }

        /// A route for the pages and their scripts: what it throws is the answer.
        static func service(
            _ path: String, methods: [String] = ["GET"], isPage: Bool = false,
            answer: @escaping @Sendable (Call) async throws(WebRefusal) -> Response
        ) -> FaultServer.Mount {
            FaultServer.Mount(
                path,
                refusing: { call throws(WebRefusal) in
                    try WebOrigin.check(call, isPage: isPage)
                    guard methods.contains(call.request.method) else {
                        let names = methods.joined(separator: " and ") + (methods.count == 1 ? " is" : " are")
                        throw WebRefusal(status: 405, reason: "Only \(names) answered here")
                    }
                    return try await answer(call)
                })
        }
    }
#endif
