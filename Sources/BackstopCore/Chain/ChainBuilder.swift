/// Builds a chain's list of interceptors, outermost first.
public typealias ChainBuilder<Request: Sendable, Response: Sendable> = ListBuilder<any Interceptor<Request, Response>>

extension ListBuilder {
    /// One interceptor; generic arguments, as those of ``Retry``, are inferred.
    public static func buildExpression<One: Interceptor>(_ interceptor: One) -> [Element]
    where Element == any Interceptor<One.Request, One.Response> {
        [interceptor]
    }
}
