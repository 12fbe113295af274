extension Failure.Reason {
    /// Why a call ended, as its failure says it: a call that was cancelled ends as cancelled, whatever came before.
    package init(ofCall error: any Error) {
        self = Task.isCancelled ? .cancelled : Failure.Reason(classifying: error, isCancelled: false)
    }

    /// What OpenTelemetry's conventions for HTTP want as `error.type`: the number of the status that made the call fail,
    /// or else the code.
    ///
    /// - Parameter status: The status of the response, which counts for an error that a service describes.
    package func errorType(status: Int?) -> String {
        switch self {
        case .status(let error): "\(error.code)"
        case .service: status.flatMap { $0 >= 400 ? "\($0)" : nil } ?? code
        case .cancelled, .request, .transport, .timeout, .decoding, .rejected, .storage, .other: code
        }
    }
}
