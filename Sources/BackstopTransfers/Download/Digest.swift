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
        hash.finalize().map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    static func hex(of data: Data) -> String {
        var digest = Digest()
        digest.update(ArraySlice(data))
        return digest.hex()
    }
}
