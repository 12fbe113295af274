import BackstopCore
import Foundation

@testable import BackstopGraphQLSocket

/// The actions of a protocol, as a test reads them.
enum Step: Equatable {
    case send(String)
    case close(UInt16)
    case start(SocketProtocol.Limit, UInt64)
    case stop(SocketProtocol.Limit)
    case tell(UInt64, String)
    case unwanted(UInt64)

    init(_ action: SocketProtocol.Action) {
        switch action {
        case .send(let message, _): self = .send(String(decoding: message.json, as: UTF8.self))
        case .close(let code, _): self = .close(code)
        case .start(let limit, let number, _): self = .start(limit, number)
        case .stop(let limit): self = .stop(limit)
        case .tell(let id, let event): self = .tell(id, Self.text(of: event))
        case .unwanted(let id): self = .unwanted(id)
        }
    }

    private static func text(of event: SocketProtocol.Event) -> String {
        switch event {
        case .began: "began"
        case .result(let result): "result " + String(decoding: result, as: UTF8.self)
        case .errors(let errors): "errors " + String(decoding: errors, as: UTF8.self)
        case .complete: "complete"
        case .answered(let response, _), .refused(let response): "status \(response.status)"
        case .failed(let error), .lost(let error):
            Failure.Reason(classifying: error).code + ((error as? TransportError).map { " \($0.phase)" } ?? "")
        }
    }
}

extension SocketProtocol {
    /// Takes what is to be done, without timers.
    mutating func steps() -> [Step] {
        allSteps().filter {
            switch $0 {
            case .start, .stop: false
            case .send, .close, .tell, .unwanted: true
            }
        }
    }

    mutating func allSteps() -> [Step] {
        takeActions().map { Step($0) }
    }

    mutating func receive(_ text: String) {
        receive(Data(text.utf8))
    }

    /// One whose connection is acknowledged.
    static func ready(_ options: SocketOptions = SocketOptions()) -> SocketProtocol {
        var rules = SocketProtocol(options, payload: nil)
        _ = rules.begin()
        rules.opened()
        rules.receive(#"{"type":"connection_ack"}"#)
        _ = rules.takeActions()
        return rules
    }

    /// Begins an operation that is sent.
    mutating func run(_ body: String = "{}") -> UInt64 {
        let id = start(Data(body.utf8)) ?? 0
        written(id)
        return id
    }
}
