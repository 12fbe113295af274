internal import Foundation

#if canImport(CryptoKit)
    internal import CryptoKit
#elseif Crypto
    internal import Crypto
#else
    internal import BackstopHash
#endif

extension GraphQL {
    /// Computes or looks up the hashes of documents.
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

        /// SHA-256: from CryptoKit, or where that does not exist, from swift-crypto with the trait `Crypto`, and from
        /// Backstop without it.
        public static let sha256 = Hasher { text in
            #if canImport(CryptoKit) || Crypto
                SHA256.hash(data: Data(text.utf8)).map { byte in
                    (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }.joined()
            #else
                SHA256.hexDigest(of: text)
            #endif
        }
    }
}
