internal import Foundation

#if canImport(CryptoKit)
    internal import CryptoKit
#elseif Crypto
    internal import Crypto
#else
    internal import BackstopHash
#endif

/// A SHA-256 that is made piece by piece.
struct Digest {
    private var hash = SHA256()

    mutating func update(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }

    func hex() -> String {
        hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func hex(of data: Data) -> String {
        var digest = Digest()
        digest.update(ArraySlice(data))
        return digest.hex()
    }
}
