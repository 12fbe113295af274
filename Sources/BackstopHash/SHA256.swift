/// SHA-256 (FIPS 180-4), for hashes of public texts and files, where no package and no system brings one.
package struct SHA256 {
    private var state: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    /// Less than a block.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    package init() {}

    /// The digest of a text's UTF-8 in lower-case hexadecimal digits.
    package static func hexDigest(of text: String) -> String {
        hexDigest(of: Array(text.utf8))
    }

    /// The digest of bytes in lower-case hexadecimal digits.
    package static func hexDigest(of message: [UInt8]) -> String {
        var hash = SHA256()
        message.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Adds bytes.
    package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        count += UInt64(bytes.count)
        var bytes = bytes[...]
        if !rest.isEmpty {
            let missing = min(64 - rest.count, bytes.count)
            rest += bytes.prefix(missing)
            bytes = bytes.dropFirst(missing)
            guard rest.count == 64 else {
                return
            }
            rest.withUnsafeBytes { Self.compress($0, into: &state) }
            rest = []
        }
        let whole = bytes.count / 64 * 64
        Self.compress(UnsafeRawBufferPointer(rebasing: bytes.prefix(whole)), into: &state)
        rest += bytes.dropFirst(whole)
    }

    /// The digest: the message, a bit that is set, zeros up to a multiple of 64 bytes, and the length in bits (5.1.1).
    package func finalize() -> [UInt8] {
        var copy = self
        let padding: [UInt8] =
            [0x80] + [UInt8](repeating: 0, count: (64 + 55 - rest.count) % 64)
            + (0..<8).map { UInt8(truncatingIfNeeded: (count << 3) >> (56 - 8 * UInt64($0))) }
        padding.withUnsafeBytes { copy.update(bufferPointer: $0) }
        return copy.state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    /// Works blocks of 64 bytes into the state (6.2.2).
    private static func compress(_ bytes: UnsafeRawBufferPointer, into state: inout [UInt32]) {
        var schedule = [UInt32](repeating: 0, count: 64)
        for block in stride(from: 0, to: bytes.count, by: 64) {
            for index in 0..<16 {
                schedule[index] = UInt32(
                    bigEndian: bytes.loadUnaligned(fromByteOffset: block + 4 * index, as: UInt32.self))
            }
            for index in 16..<64 {
                let (early, late) = (schedule[index - 15], schedule[index - 2])
                let sigma0 = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
                let sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
                schedule[index] = schedule[index - 16] &+ sigma0 &+ schedule[index - 7] &+ sigma1
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            for index in 0..<64 {
                let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
                let choice = e & f ^ ~e & g
                let first = h &+ sum1 &+ choice &+ constants[index] &+ schedule[index]
                let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
                let majority = a & b ^ a & c ^ b & c
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
            }
            for (index, word) in [a, b, c, d, e, f, g, h].enumerated() {
                state[index] = state[index] &+ word
            }
        }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2).
    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}
