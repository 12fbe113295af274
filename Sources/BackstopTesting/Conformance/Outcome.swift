internal import Backstop
internal import BackstopCore
internal import Foundation

/// What came of one call.
struct Outcome: Sendable, CustomStringConvertible {
    let result: Result<HTTP.Response, Failure>
    /// Every request that the transport recorded.
    let sent: [HTTP.Request]

    var response: HTTP.Response? { try? result.get() }

    var failure: Failure? {
        guard case .failure(let failure) = result else {
            return nil
        }
        return failure
    }

    /// The failure's code; nil for a response.
    var code: String? { failure?.code }

    /// The phase of the exchange that the failure names; nil when it names none.
    var phase: TransportError.Phase? {
        guard let failure else {
            return nil
        }
        if case .transport(let error) = failure.reason {
            return error.phase
        }
        return failure.progress?.phase
    }

    var description: String {
        switch result {
        case .success(let response):
            let headers = response.headers.map { "\($0.name.text): \($0.value.shown)" }.joined(separator: ", ")
            return "\(response.status) with \(response.body.shown) and the headers [\(headers)]"
        case .failure(let failure):
            var text = failure.code
            if let phase { text += " while \(phase.rawValue)" }
            if let bytes = failure.progress?.bytesReceived { text += ", after \(bytes) bytes" }
            if case .transport(let error) = failure.reason, !error.detail.isEmpty {
                text += " (\(error.detail.shown))"
            }
            return text
        }
    }
}

/// One of the outcomes that a rule allows.
struct Expected: Sendable, CustomStringConvertible {
    let description: String
    let matches: @Sendable (Outcome) -> Bool

    /// A response with exactly this status and body, and with these headers among others.
    ///
    /// - Parameter headers: The value of each name, several of one name joined as in RFC 9110, 5.3; nil for none.
    static func response(
        _ status: Int = 200, _ body: String = "ok", headers: [HTTP.Headers.Name: String?] = [:]
    ) -> Expected {
        response(status, Array(body.utf8), headers: headers)
    }

    static func response(
        _ status: Int = 200, _ body: [UInt8], headers: [HTTP.Headers.Name: String?] = [:]
    ) -> Expected {
        let fields = headers.map { "\($0.key.text): \($0.value?.shown ?? "none")" }.sorted().joined(separator: ", ")
        return Expected(
            description: "\(status) with \(Data(body).shown)" + (fields.isEmpty ? "" : " and the headers [\(fields)]")
        ) { outcome in
            guard let response = outcome.response, response.status == status, response.body.elementsEqual(body) else {
                return false
            }
            return headers.allSatisfy { name, value in
                let values = response.headers[values: name]
                return (values.isEmpty ? nil : values.joined(separator: ", ")) == value
            }
        }
    }

    /// A failure in transit with one of these codes, in one of these phases.
    ///
    /// - Parameter phases: Empty for any.
    static func failure(_ codes: TransportError.Code..., in phases: TransportError.Phase...) -> Expected {
        failure(codes: codes.map { "transport.\($0.name)" }, in: phases)
    }

    /// The attempt's time limit, in one of these phases or in an unknown one: a transport need not report its progress.
    static func timeout(in phases: TransportError.Phase...) -> Expected {
        timeout(in: phases)
    }

    static func timeout(in phases: [TransportError.Phase]) -> Expected {
        let failure = failure(codes: ["timeout.attempt"], in: phases)
        return Expected(description: failure.description) { outcome in
            failure.matches(outcome)
                || outcome.code == "timeout.attempt" && (outcome.phase == nil || outcome.phase == .unknown)
        }
    }

    static let cancelled = failure(codes: ["cancelled"])

    static func failure(codes: [String], in phases: [TransportError.Phase] = []) -> Expected {
        let place = phases.isEmpty ? "" : " while " + phases.map(\.rawValue).joined(separator: " or ")
        return Expected(description: codes.joined(separator: " or ") + place) { outcome in
            guard let code = outcome.code, codes.contains(code) else {
                return false
            }
            return phases.isEmpty || outcome.phase.map(phases.contains) == true
        }
    }

    /// A response that is no HTTP, or breaks its rules: found while it arrives.
    static let malformed = failure(.badResponse, in: .receiving)
}

/// What came is not what the rule asks for.
struct Mismatch: Error, Sendable {
    let expected: String
    let came: String
}

extension String {
    /// The text on one line, cut.
    var shown: String {
        let text = debugDescription
        return text.count > 120 ? "\(text.prefix(100))... (\(utf8.count) bytes)" : text
    }
}

extension Data {
    /// The bytes as text, cut.
    var shown: String {
        isEmpty ? "no body" : "the body " + String(decoding: prefix(4096), as: UTF8.self).shown
    }
}
