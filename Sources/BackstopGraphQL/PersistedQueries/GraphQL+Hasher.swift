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
        /// The hash of a text without one; nil when it cannot be computed.
        package let hash: @Sendable (String) -> String?

        /// Your own hashes; they must be the SHA-256 of the text's UTF-8 bytes in lower-case hex.
        public init(_ hash: @escaping @Sendable (String) -> String?) {
            self.hash = hash
        }

        /// Only the documents' own hashes, as written by the plugin `PersistedOperations`. A document without one is
        /// sent in full.
        public static let precomputed = Hasher { _ in nil }

        /// SHA-256, by CryptoKit; where that does not exist, by swift-crypto with the trait `Crypto`, and by Backstop
        /// without it.
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
