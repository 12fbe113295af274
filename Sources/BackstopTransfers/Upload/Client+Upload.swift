public import Backstop
internal import BackstopCore
internal import Foundation

extension Client {
    /// Makes a call, and tells how much of its body was sent.
    ///
    /// ```swift
    /// @MainActor func publish(_ film: URL, with client: Client, show: (Double) -> Void) async throws(Failure) {
    ///     let upload = client.upload(.put("films/1", body: .file(film)))
    ///     for await now in upload.updates { show(now.fraction ?? 0) }
    ///     _ = try await upload.value
    /// }
    /// ```
    /// It is the same call as without it, with the same retries: if it is sent again, its status begins again, with
    /// one leg more. Bytes count when they are given to the network, which is before the server has them.
    ///
    /// - Parameter endpoint: What to call.
    /// - Returns: The upload, which runs already; its value is the content of the endpoint.
    public func upload<E: Endpoint>(_ endpoint: E) -> Transfer<E.Content> {
        let meter = TransferMeter()
        return Transfer(meter) { () async throws(Failure) in
            try await send(Metered(endpoint: endpoint, meter: meter))
        }
    }
}

/// An endpoint whose body is counted while it is sent.
private struct Metered<E: Endpoint>: Endpoint {
    let endpoint: E
    let meter: TransferMeter

    var name: String { endpoint.name }
    var accept: String? { endpoint.accept }

    func makeRequest() throws -> HTTP.Request {
        var request = try endpoint.makeRequest()
        let body = request.body
        guard !body.isNone else {
            return request
        }
        // Another body takes the type of the first one with it.
        let type = request.headers[.contentType]
        request.body = .opened(of: body, contentType: nil, isReplayable: body.isReplayable) { [meter] in
            let chunks = try await body.open()
            meter.update { status in
                status = TransferStatus(bytes: 0, expected: chunks.length, legs: status.legs + 1)
            }
            let metered = chunks.map { chunk in
                meter.update { $0.bytes += Int64(chunk.count) }
                return chunk
            }
            return (metered, chunks.length)
        }
        request.headers[.contentType] = type
        return request
    }

    func content(from response: HTTP.Response) throws -> E.Content {
        try endpoint.content(from: response)
    }
}
