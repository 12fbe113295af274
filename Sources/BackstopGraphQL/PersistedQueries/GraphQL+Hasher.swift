internal import Foundation

#if canImport(CryptoKit)
    internal import CryptoKit
#elseif Crypto
    internal import Crypto
#endif

extension GraphQL {
    /// Where the hashes of documents come from.
    public struct Hasher: Sendable {
        /// The hash of a text that brings none; nil when it cannot be computed.
        let hash: @Sendable (String) -> String?

        /// Hashes of your own; they must be the lower-case hex SHA-256 of the text's UTF-8 bytes.
        public init(_ hash: @escaping @Sendable (String) -> String?) {
            self.hash = hash
        }

        /// Only hashes that documents bring along, as the plugin `PersistedOperations` writes them. A document without
        /// one is sent in full.
        public static let precomputed = Hasher { _ in nil }

        #if canImport(CryptoKit) || Crypto
            /// SHA-256 from CryptoKit, or from swift-crypto where CryptoKit does not exist.
            public static let sha256 = Hasher { text in
                SHA256.hash(data: Data(text.utf8)).map { byte in
                    (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }.joined()
            }

            /// What this build can do.
            static let available = sha256
        #else
            /// SHA-256 needs CryptoKit or swift-crypto.
            @available(
                *, unavailable,
                message:
                    "SHA-256 needs swift-crypto here: switch on the trait Crypto of backstop, or use .precomputed with the plugin PersistedOperations"
            )
            public static var sha256: Hasher { precomputed }

            /// What this build can do.
            static let available = precomputed
        #endif
    }
}
