public import Backstop

/// An HTTP transport that responds from a script and records the requests.
///
/// ```swift
/// let transport = ScriptedTransport(
///     .status(503, headers: ["Retry-After": "2"]),
///     .failure(TransportError(.lost, phase: .receiving)),
///     .delay(.seconds(3), then: .json(200, #"{"id":1}"#)))
/// let clock = RecordingClock()
/// var options = CallOptions()
/// options.clock = clock
/// let chain = try HTTP.Chain(transport: transport) { Retry() }
/// let response = try await chain.call(HTTP.Request(.get, "https://api.example.com/books/1"), options: options)
/// let paths = transport.requests.map(\.url.path)
/// try transport.checkFinished()
/// ```
/// See ``Script`` for what it records, and ``Stub`` for all stubs.
public typealias ScriptedTransport = Script<HTTP.Request, HTTP.Response>
