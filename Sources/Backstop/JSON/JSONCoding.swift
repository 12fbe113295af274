public import BackstopCore
public import Foundation

/// The encoder and the decoder of a client, as its calls see them while they run.
struct JSONCoding: Sendable {
    let decoder: JSONDecoder?
    let encoder: JSONEncoder?

    /// Those of the client whose call is running; without any elsewhere.
    @TaskLocal static var current = JSONCoding(decoder: nil, encoder: nil)

    private init(decoder: JSONDecoder?, encoder: JSONEncoder?) {
        self.decoder = decoder
        self.encoder = encoder
    }

    /// Those of a client's values.
    init(_ values: CallValues) {
        self.init(decoder: values.decoder, encoder: values.encoder)
    }

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
    /// What decodes the JSON of responses where the endpoint or the call has no decoder of its own. Default: nil, a
    /// `JSONDecoder` with its default settings.
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

    /// What encodes values as JSON where the call gives no encoder of its own. Default: nil, a `JSONEncoder` with its
    /// default settings.
    public var encoder: JSONEncoder? {
        get { self[EncoderKey.self] }
        set { self[EncoderKey.self] = newValue }
    }
}
