internal import BackstopCore

/// A transport in the place of another: it records what that one sends and gets.
struct RecordingTransport<Request: Sendable, Response: Sendable>: Transport {
    let transport: any Transport<Request, Response>
    let recorder: ChainRecorder

    var endsAttemptsInTime: Bool {
        transport.endsAttemptsInTime
    }

    func send(_ request: Request, context: CallContext) async throws -> Response {
        try await recorder.record(request, role: nil, name: "transport", context: context) {
            try await transport.send(request, context: context)
        }
    }
}
