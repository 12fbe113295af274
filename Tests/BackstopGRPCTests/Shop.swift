#if GRPC
    import BackstopGRPC
    import GRPCCore
    import GRPCInProcessTransport
    import GRPCNIOTransportHTTP2

    /// A text as bytes.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct TextCoder: MessageSerializer, MessageDeserializer {
        func serialize<Bytes: GRPCContiguousBytes>(_ message: String) throws -> Bytes {
            Bytes(Array(message.utf8))
        }

        func deserialize<Bytes: GRPCContiguousBytes>(_ serializedMessageBytes: Bytes) throws -> String {
            serializedMessageBytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// A service whose two methods do what a test says; only `get` is idempotent.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct Shop: RegistrableRPCService {
        typealias Handler =
            @Sendable (StreamingServerRequest<String>) async throws -> StreamingServerResponse<String>

        static let get = MethodDescriptor(fullyQualifiedService: "shop.Books", method: "Get")
        static let buy = MethodDescriptor(fullyQualifiedService: "shop.Books", method: "Buy")

        let handler: Handler

        func registerMethods<T: ServerTransport>(with router: inout RPCRouter<T>) {
            for method in [Self.get, Self.buy] {
                router.registerHandler(forMethod: method, deserializer: TextCoder(), serializer: TextCoder()) {
                    request, _ in
                    try await handler(request)
                }
            }
        }
    }

    /// What tests do with a client, whatever its transport is.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct Caller: Sendable {
        typealias Request = StreamingClientRequest<String>
        typealias Response = StreamingClientResponse<String>

        /// Calls a method with one message, as a generated client does.
        let unary: @Sendable (ClientRequest<String>, MethodDescriptor, GRPCCore.CallOptions) async throws -> String
        /// Calls a method with streams.
        let stream:
            @Sendable (Request, MethodDescriptor, @escaping @Sendable (Response) async throws -> [String]) async throws
                -> [String]

        init<T: ClientTransport>(_ client: GRPCClient<T>) {
            unary = { request, method, options in
                try await client.unary(
                    request: request, descriptor: method, serializer: TextCoder(), deserializer: TextCoder(),
                    options: options
                ) { try $0.message }
            }
            stream = { request, method, read in
                try await client.bidirectionalStreaming(
                    request: request, descriptor: method, serializer: TextCoder(), deserializer: TextCoder(),
                    options: .defaults, onResponse: read)
            }
        }

        func get(metadata: Metadata = [:], options: GRPCCore.CallOptions = .defaults) async throws -> String {
            try await unary(ClientRequest(message: "1", metadata: metadata), Shop.get, options)
        }

        func buy(options: GRPCCore.CallOptions = .defaults) async throws -> String {
            try await unary(ClientRequest(message: "1"), Shop.buy, options)
        }

        /// The failure of a call; nil when it succeeds.
        func failure(of call: @Sendable (Caller) async throws -> String) async -> Failure? {
            do {
                _ = try await call(self)
                return nil
            } catch {
                return Failure(error)
            }
        }
    }

    struct ShopError: Error {}

    /// The servers that calls are tested with.
    enum ServerKind: CaseIterable {
        case inProcess
        case http2
    }

    /// Runs a server, and a client of it whose calls run inside a policy.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func withShop<R: Sendable>(
        _ kind: ServerKind = .inProcess, _ policy: Policy, log: (any LogSink)? = nil,
        serviceConfig: ServiceConfig = ServiceConfig(), handler: @escaping Shop.Handler,
        call: @Sendable (Caller) async throws -> R
    ) async throws -> R {
        switch kind {
        case .inProcess:
            let pair = InProcessTransport(serviceConfig: serviceConfig)
            return try await withGRPCServer(transport: pair.server, services: [Shop(handler: handler)]) { _ in
                try await withClient(of: pair.client, policy, log: log, call: call)
            }
        case .http2:
            let transport = HTTP2ServerTransport.Posix(
                address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext)
            return try await withGRPCServer(transport: transport, services: [Shop(handler: handler)]) { server in
                let port = try await server.transport.listeningAddress.ipv4?.port ?? 0
                let client = try HTTP2ClientTransport.Posix(
                    target: .ipv4(address: "127.0.0.1", port: port), transportSecurity: .plaintext,
                    serviceConfig: serviceConfig)
                return try await withClient(of: client, policy, log: log, call: call)
            }
        }
    }

    /// Runs a client whose calls run inside a policy.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func withClient<T: ClientTransport, R: Sendable>(
        of transport: T, _ policy: Policy, log: (any LogSink)? = nil, call: @Sendable (Caller) async throws -> R
    ) async throws -> R {
        let transport = PolicyTransport(transport, policy: policy, log: log) { $0.method == "Get" }
        return try await withGRPCClient(transport: transport) { try await call(Caller($0)) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    extension StreamingServerResponse<String> {
        /// A response of these messages, which ends with an error; nil for a good end.
        init(_ messages: [String], error: RPCError? = nil) {
            self.init { writer in
                try await writer.write(contentsOf: messages)
                if let error { throw error }
                return [:]
            }
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    extension RPCError.Code {
        /// Those from 1 to 16.
        static let everyCode: [RPCError.Code] = (1...16).compactMap { number in
            Status.Code(rawValue: number).flatMap { RPCError.Code($0) }
        }
    }
#endif
