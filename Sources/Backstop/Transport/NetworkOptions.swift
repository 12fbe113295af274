public import BackstopCore

#if !canImport(FoundationNetworking)
    internal import Foundation
#endif

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
    /// The kind of traffic, by which the system orders it: those of `URLRequest.NetworkServiceType`.
    public enum ServiceType: Sendable, Hashable, CaseIterable {
        /// The usual.
        case standard
        /// Nobody waits for the response, so other traffic goes first.
        case background
        /// A person waits for the response.
        case responsiveData
        /// Video of a conversation.
        case video
        /// Voice of a conversation.
        case voice
        /// Media that play while they load.
        case avStreaming
        /// Media to which a person responds.
        case responsiveAV
        /// The beginning and the end of conversations.
        case callSignaling
    }

    /// Whether it may use a cellular network. Default: true.
    public var allowsCellularAccess = true
    /// Whether it may use an expensive network, such as a cellular one or a personal hotspot. Default: true.
    public var allowsExpensiveNetworkAccess = true
    /// Whether it may use a network in Low Data Mode. Default: true.
    public var allowsConstrainedNetworkAccess = true
    /// The kind of traffic. Default: standard.
    public var serviceType = ServiceType.standard
    /// The priority among the requests to the same server, from 0 to 1, which the server may ignore. Default: 0.5.
    public private(set) var priority = 0.5
    /// Whether to try HTTP/3 before the server has said that it speaks it. Default: false.
    public var assumesHTTP3 = false

    /// Makes the options of the system.
    public init() {}

    /// Sets the priority.
    ///
    /// ```swift
    /// func urgent(_ client: Client) throws -> Client {
    ///     try client.withOptions { try $0.values.network.setPriority(0.9) }
    /// }
    /// ```
    ///
    /// - Parameter priority: From 0, the lowest, to 1.
    /// - Throws: `ConfigurationError` when it is not in that range.
    public mutating func setPriority(_ priority: Double) throws(ConfigurationError) {
        try ConfigurationError.require(
            (0...1).contains(priority), "NetworkOptions.priority", "must be from 0 to 1, but is \(priority)",
            fix: "Set 0.5 for the usual priority")
        self.priority = priority
    }
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

#if !canImport(FoundationNetworking)
    extension NetworkOptions.ServiceType {
        /// https://developer.apple.com/documentation/foundation/nsurlrequest/networkservicetype-swift.enum
        var ofRequests: URLRequest.NetworkServiceType {
            switch self {
            case .standard: .default
            case .background: .background
            case .responsiveData: .responsiveData
            case .video: .video
            case .voice: .voice
            case .avStreaming: .avStreaming
            case .responsiveAV: .responsiveAV
            case .callSignaling: .callSignaling
            }
        }
    }
#endif
