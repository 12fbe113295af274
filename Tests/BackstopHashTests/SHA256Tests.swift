import BackstopHash
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    // FIPS 180-4 examples and NIST's CAVP vectors (SHA256ShortMsg).
    @Test(
        "has the digests of NIST's vectors",
        arguments: [
            ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ([0xD3], "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"),
            ([0x11, 0xAF], "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"),
            (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                Array("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn".utf8)
                    + Array("hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu".utf8),
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ] as [([UInt8], String)])
    func vectors(_ message: [UInt8], _ digest: String) {
        #expect(SHA256.hexDigest(of: message) == digest)
    }

    @Test("has the digest of a hundred thousand letters, over many blocks")
    func long() {
        let message = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
        let digest = "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"
        #expect(SHA256.hexDigest(of: message) == digest)
    }

    @Test(
        "pads messages of every length around the end of a block",
        arguments: [
            (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
            (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
            (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
            (65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
        ])
    func padding(_ count: Int, _ digest: String) {
        #expect(SHA256.hexDigest(of: [UInt8](repeating: UInt8(ascii: "a"), count: count)) == digest)
    }

    @Test("has the digest of a persisted query that clients of other makers send")
    func persistedQuery() {
        let digest = SHA256.hexDigest(of: "query TestQuery { test }")
        #expect(digest.hasPrefix("8ed9fcbb"))
        #expect(digest.hasSuffix("eb30"))
    }
}
