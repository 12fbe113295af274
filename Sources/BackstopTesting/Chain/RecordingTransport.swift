internal import BackstopCore

/// Wraps a transport: records what it sends and receives.
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
