#if Demo
    /// SHA-1 (FIPS 180-4, 6.1), with which a server shows that it has read the key of a WebSocket. It protects nothing.
    enum SHA1 {
        static func digest(of message: [UInt8]) -> [UInt8] {
            // A bit that is set, zeros up to a multiple of 64 bytes, and the length in bits (5.1.1).
            let padded =
                message + [0x80] + [UInt8](repeating: 0, count: (64 + 55 - message.count % 64) % 64)
                + bytes(of: UInt64(message.count) << 3)
            var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
            for block in stride(from: 0, to: padded.count, by: 64) {
                compress(padded[block..<block + 64], into: &state)
            }
            return state.flatMap(bytes)
        }

        private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
            var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
                block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            for index in 16..<80 {
                words.append(
                    rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
            }
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for (index, word) in words.enumerated() {
                let (mixed, constant): (UInt32, UInt32) =
                    switch index {
                    case ..<20: (b & c ^ ~b & d, 0x5A82_7999)
                    case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                    case ..<60: (b & c ^ b & d ^ c & d, 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                (a, b, c, d, e) = (rotated(a, 5) &+ mixed &+ e &+ constant &+ word, a, rotated(b, 30), c, d)
            }
            for (index, word) in [a, b, c, d, e].enumerated() {
                state[index] = state[index] &+ word
            }
        }

        private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
            word << count | word >> (32 - count)
        }

        private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
    }
#endif
