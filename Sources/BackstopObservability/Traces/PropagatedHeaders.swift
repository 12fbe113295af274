#if Observability
    internal import Backstop
    internal import BackstopCore
    internal import Tracing

    /// The headers in which an instrument passes the context of a span on.
    struct PropagatedHeaders: Sendable {
        /// The most headers, and bytes of a value, that are sent. Default limits of servers for a whole head are 8 KiB
        /// and more; W3C allows 8,192 bytes of baggage.
        static let countLimit = 16
        static let valueLimit = 8192

        private var fields: [(name: String, value: String)] = []

        /// The headers of a context.
        init(_ context: ServiceContext, from instrument: any Instrument) {
            instrument.inject(context, into: &self, using: Collector())
        }

        /// Adds them to a request, all or none: a context of two halves would lead to a span that does not exist.
        ///
        /// A header that the request already has stays, and then nothing is added. One that would corrupt the request
        /// is left out.
        ///
        /// - Returns: The names of headers that the request already has; empty when the context was added.
        func add(to request: inout HTTP.Request) -> [String] {
            let own = fields.map(\.name).filter { request.headers[HTTP.Headers.Name($0)] != nil }
            guard own.isEmpty else {
                return own
            }
            for field in fields.prefix(Self.countLimit) where field.value.utf8.count <= Self.valueLimit {
                try? request.headers.set(field.value, for: HTTP.Headers.Name(field.name))
            }
            return []
        }

        private struct Collector: Injector {
            func inject(_ value: String, forKey key: String, into carrier: inout PropagatedHeaders) {
                carrier.fields.append((key, value))
            }
        }
    }
#endif
