public import Foundation

/// A `JSONDecoder`, as the `decoder` of an endpoint or of an error.
///
/// `JSONDecoder` conforms and nothing else should. It exists so that the compiler refuses a `decoder` of type
/// `JSONDecoder?`, which would otherwise be another property that nobody reads.
public protocol EndpointDecoder {
    /// The decoder itself.
    var jsonDecoder: JSONDecoder { get }
}

extension JSONDecoder: EndpointDecoder {
    /// The decoder itself.
    public var jsonDecoder: JSONDecoder { self }
}

@available(*, unavailable, message: "declare it without '?': var decoder: JSONDecoder")
extension Optional: EndpointDecoder where Wrapped == JSONDecoder {
    /// Never used.
    public var jsonDecoder: JSONDecoder { self ?? JSONDecoder() }
}
