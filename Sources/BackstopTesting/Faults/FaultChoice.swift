internal import Backstop
internal import Foundation

/// A fault that people choose by its name.
struct FaultChoice: Sendable {
    let name: String
    let fault: ScriptedTransport.Step

    /// What error screens have to cope with, from the network to the content.
    static let all = [
        FaultChoice(name: "Offline", fault: .failure(TransportError(.offline))),
        FaultChoice(name: "Connection lost", fault: .failure(TransportError(.lost))),
        FaultChoice(name: "Connection refused", fault: .failure(TransportError(.refused))),
        FaultChoice(name: "Certificate not trusted", fault: .failure(TransportError(.certificate))),
        FaultChoice(name: "No answer", fault: .hang),
        FaultChoice(name: "3 s slower", fault: .delay(.seconds(3), then: .network)),
        FaultChoice(name: "400 with problem details", fault: .data(400, problem, headers: problemType)),
        FaultChoice(name: "401", fault: .status(401)),
        FaultChoice(name: "403", fault: .status(403)),
        FaultChoice(name: "404", fault: .status(404)),
        FaultChoice(name: "429, Retry-After 30 s", fault: .status(429, headers: ["Retry-After": "30"])),
        FaultChoice(name: "500", fault: .status(500)),
        FaultChoice(name: "503, Retry-After 30 s", fault: .status(503, headers: ["Retry-After": "30"])),
        FaultChoice(
            name: "A page in the place of JSON", fault: .data(200, page, headers: ["Content-Type": "text/html"])),
        FaultChoice(name: "Cut JSON", fault: .json(200, #"{"id": 7, "na"#)),
    ]

    private static let problem = Data(#"{"title": "Injected", "status": 400, "detail": "By the fault panel."}"#.utf8)
    private static let problemType: HTTP.Headers = ["Content-Type": "application/problem+json"]
    private static let page = Data("<html><title>Sign in to the network</title></html>".utf8)
}
