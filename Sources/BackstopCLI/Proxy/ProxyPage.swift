#if Demo
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import Foundation

    /// The page that breaks calls, and the same for scripts.
    struct ProxyPage: Sendable {
        /// Below it nothing is passed on.
        static let path = "/__backstop/"

        let proxy: Proxy

        /// How many bytes the faults may have.
        private static let bodyLimit = ProxyFaults.countLimit * ProxyFault.lengthLimit

        private static let files: [WebFile] = [
            WebFile(path: path, bytes: PackageResources.proxy_html, type: .page),
            WebFile(path: String(path.dropLast()), bytes: PackageResources.proxy_html, type: .page),
            WebFile(path: path + "icon.svg", bytes: PackageResources.icon_svg, type: .image),
            WebFile(path: path + "backstop.css", bytes: PackageResources.backstop_css, type: .style),
            WebFile(path: path + "proxy.css", bytes: PackageResources.proxy_css, type: .style),
            WebFile(path: path + "proxy.js", bytes: PackageResources.proxy_js, type: .script),
            WebFile(path: path + "events.js", bytes: PackageResources.events_js, type: .script),
        ]

        var mounts: [FaultServer.Mount] {
            [Self.path, String(Self.path.dropLast())].map { FaultServer.Mount($0, refusing: answer) }
        }

        private func answer(
            _ call: FaultServer.Mount.Call
        ) async throws(WebRefusal) -> FaultServer.Mount.Response {
            let request = call.request
            let file = Self.files.first { $0.path == request.path }
            try WebOrigin.check(call, isPage: file?.isPage == true, takesAddresses: true)
            if let file, ["GET", "HEAD"].contains(request.method) {
                return file.response
            }
            switch (request.method, request.path.dropFirst(Self.path.count)) {
            case ("GET", "log"):
                break
            // No page of another origin can send these without asking first.
            case ("PUT", "faults/next"):
                let lines = try await Self.lines(of: call)
                guard lines.count == 1 else {
                    throw .badRequest("The next fault is one line: \(ProxyFault.form)")
                }
                proxy.faults.setNext(try ProxyFault(lines[0], times: 1))
            case ("PUT", "faults"):
                let lines = try await Self.lines(of: call)
                guard lines.count <= ProxyFaults.countLimit else {
                    throw .badRequest("There are more than \(ProxyFaults.countLimit) faults")
                }
                proxy.faults.replace(with: try lines.map { line throws(WebRefusal) in try ProxyFault(line) })
            case ("DELETE", "faults"):
                proxy.faults.replace(with: [])
            default:
                throw WebRefusal(
                    status: 404,
                    reason: "There are GET log, PUT faults/next, PUT faults and DELETE faults below \(Self.path)")
            }
            return .json(
                JSONWriter.object([
                    ("upstream", JSONWriter.quoted(Redaction.standard.url(proxy.fields.base.absoluteString))),
                    ("faults", JSONWriter.list(proxy.faults.lines.map { JSONWriter.quoted($0) })),
                    ("exchanges", proxy.log.json),
                ]))
        }

        /// The lines of a body that are not empty.
        private static func lines(of call: FaultServer.Mount.Call) async throws(WebRefusal) -> [String] {
            var body = call.request.body
            do {
                while body.count <= bodyLimit, let part = try await call.coming?.next() {
                    body += part
                }
            } catch {
                throw .badRequest("The body does not come to its end")
            }
            guard body.count <= bodyLimit else {
                throw WebRefusal(status: 413, reason: "The body is longer than \(bodyLimit) bytes")
            }
            return String(decoding: body, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        }
    }
#endif
