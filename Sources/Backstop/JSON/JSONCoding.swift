public import BackstopCore
public import Foundation

/// The encoder and the decoder of a client, during its calls.
package struct JSONCoding: Sendable {
    package let decoder: JSONDecoder?
    let encoder: JSONEncoder?

    package init(decoder: JSONDecoder?, encoder: JSONEncoder?) {
        self.decoder = decoder
        self.encoder = encoder
    }

    /// Those of the client whose call is running; none elsewhere.
    @TaskLocal package static var current = JSONCoding(decoder: nil, encoder: nil)

    /// Whether both are the default ones.
    var isDefault: Bool {
        decoder == nil && encoder == nil
    }
}

private enum DecoderKey: CallKey {
    static let defaultValue: JSONDecoder? = nil
}

private enum EncoderKey: CallKey {
    static let defaultValue: JSONEncoder? = nil
}

extension CallValues {
    /// Decodes the JSON of responses, unless the endpoint or the call has its own decoder. Default: nil, a
    /// `JSONDecoder` with default settings.
    ///
    /// ```swift
    /// func withDates(_ client: Client) -> Client {
    ///     let decoder = JSONDecoder()
    ///     decoder.dateDecodingStrategy = .iso8601
    ///     return client.withOptions { $0.values.decoder = decoder }
    /// }
    /// ```
    public var decoder: JSONDecoder? {
        get { self[DecoderKey.self] }
        set { self[DecoderKey.self] = newValue }
    }

    /// Encodes values as JSON, unless the call has its own encoder. Default: nil, a `JSONEncoder` with default
    /// settings.
    public var encoder: JSONEncoder? {
        get { self[EncoderKey.self] }
        set { self[EncoderKey.self] = newValue }
    }
}
