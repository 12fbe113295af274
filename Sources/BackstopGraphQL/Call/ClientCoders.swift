internal import Foundation

/// What stands for the client's encoder and decoder in operations without their own, and replaces those that the client
/// lacks.
enum ClientCoders {
    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }()

    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()
}

extension JSONEncoder {
    /// The same settings with sorted keys, so that equal values give equal texts. It is a copy, because this one may be
    /// in use elsewhere.
    ///
    /// - Parameter isClients: Whether this is the client's, in which dates without a strategy become ISO 8601 and not a
    ///   number of seconds since 2001, which no service expects.
    func sortingKeys(isClients: Bool = false) -> JSONEncoder {
        // A subclass may do more than its settings.
        guard Swift.type(of: self) == JSONEncoder.self else {
            return self
        }
        let copy = JSONEncoder()
        copy.outputFormatting = outputFormatting.union([.sortedKeys, .withoutEscapingSlashes])
        copy.dateEncodingStrategy = dateEncodingStrategy
        if isClients, case .deferredToDate = dateEncodingStrategy {
            copy.dateEncodingStrategy = .iso8601
        }
        copy.dataEncodingStrategy = dataEncodingStrategy
        copy.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
        copy.keyEncodingStrategy = keyEncodingStrategy
        copy.userInfo = userInfo
        return copy
    }
}
