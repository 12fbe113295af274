internal import Foundation

/// What stands for the client's encoder and decoder in operations without their own, and replaces those that the client
/// lacks.
enum ClientCoders {
    /// Made anew at each access, because an app may change the settings of what it gets.
    static var encoder: JSONEncoder { Encoder() }

    /// Made anew as well.
    static var decoder: JSONDecoder { Decoder() }

    static func isClients(_ encoder: JSONEncoder) -> Bool {
        encoder is Encoder
    }

    static func isClients(_ decoder: JSONDecoder) -> Bool {
        decoder is Decoder
    }

    private final class Encoder: JSONEncoder, @unchecked Sendable {
        override init() {
            super.init()
            dateEncodingStrategy = .iso8601
        }
    }

    private final class Decoder: JSONDecoder, @unchecked Sendable {
        override init() {
            super.init()
            dateDecodingStrategy = .iso8601
        }
    }
}

extension JSONEncoder {
    /// The same settings with sorted keys, so that equal values give equal texts. It is a copy, because this one may be
    /// in use elsewhere.
    ///
    /// - Parameter isClients: Whether this is the client's, in which dates without a strategy become ISO 8601 and not a
    ///   number of seconds since 2001, which no service expects.
    func sortingKeys(isClients: Bool = false) -> JSONEncoder {
        // A subclass may do more than its settings.
        guard Swift.type(of: self) == JSONEncoder.self || ClientCoders.isClients(self) else {
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
