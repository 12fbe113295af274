/// Sizes in readable units.
package enum ByteCount {
    /// A size: `1 byte`, `9216 bytes`, `97.7 KiB`, `10 MiB`, `1.5 GiB`, up to EiB. Exact below 10 KiB, where single
    /// bytes may matter.
    package static func text(_ bytes: Int64) -> String {
        guard bytes >= 10_240 else {
            return bytes == 1 ? "1 byte" : "\(bytes) bytes"
        }
        var value = Double(bytes)
        var unit = "KiB"
        value /= 1024
        for larger in ["MiB", "GiB", "TiB", "PiB", "EiB"] where (value * 10).rounded() >= 10_240 {
            value /= 1024
            unit = larger
        }
        let tenths = (value * 10).rounded()
        let whole = Int(tenths)
        return whole % 10 == 0 ? "\(whole / 10) \(unit)" : "\(whole / 10).\(whole % 10) \(unit)"
    }

    /// The same for any number of bytes.
    package static func text(_ bytes: some BinaryInteger) -> String {
        text(Int64(clamping: bytes))
    }
}
