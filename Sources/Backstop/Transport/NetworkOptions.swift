public import BackstopCore

/// Which networks of a device a call may use, and how. `URLSessionTransport` on Apple platforms applies it; another
/// transport says in the trace that it does not.
///
/// ```swift
/// func preview(_ client: Client) async throws -> HTTP.Response {
///     try await client.withOptions { $0.values.network.allowsConstrainedNetworkAccess = false }.get("preview")
/// }
/// ```
///
/// Where only another network is there, the call fails with `transport.cellular`, `transport.expensive` or
/// `transport.constrained`; with `waitsForConnectivity` in the configuration, it waits.
public struct NetworkOptions: Sendable, Hashable {
    /// Whether it may use a cellular network. Default: true.
    public var allowsCellularAccess = true
    /// Whether it may use an expensive network, such as a cellular one or a personal hotspot. Default: true.
    public var allowsExpensiveNetworkAccess = true
    /// Whether it may use a network in Low Data Mode. Default: true.
    public var allowsConstrainedNetworkAccess = true
    /// Whether nobody waits for the response, so that other traffic goes first. Default: false.
    public var isBackground = false
    /// Whether to try HTTP/3 before the server has said that it speaks it. Default: false.
    public var assumesHTTP3 = false

    /// Makes the options of the system.
    public init() {}
}

private enum NetworkOptionsKey: CallKey {
    static let defaultValue = NetworkOptions()
}

extension CallValues {
    /// Which networks of a device the call may use, and how.
    public var network: NetworkOptions {
        get { self[NetworkOptionsKey.self] }
        set { self[NetworkOptionsKey.self] = newValue }
    }
}

extension CallContext {
    /// Tells in the trace that the transport does not apply the call's options of the network.
    package func noteIgnoredNetworkOptions() {
        if values.network != NetworkOptions() {
            note("network", "this transport does not apply the call's network options")
        }
    }
}
