public import BackstopCore
public final class URLSessionTransport: HTTP.Transport { public init() {}
 public func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response { throw TransportError(.unknown) } }
