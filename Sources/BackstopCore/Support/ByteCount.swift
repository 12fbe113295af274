/// Sizes in readable units.
package enum ByteCount {
    /// A size: `1 byte`, `9216 bytes`, `97.7 KiB`, `10 MiB`, `1.5 GiB`, up to EiB. Exact below 10 KiB, where single
    /// bytes may matter.
    package static func text(_ bytes: some BinaryInteger) -> String {
        text(min(Double(bytes), 0x1p64))
    }

    private static func text(_ bytes: Double) -> String {
        guard bytes >= 10_240 else {
            return bytes == 1 ? "1 byte" : "\(Int(bytes)) bytes"
        }
        var value = bytes / 1024
        var unit = "KiB"
        for larger in ["MiB", "GiB", "TiB", "PiB", "EiB"] where (value * 10).rounded() >= 10_240 {
            value /= 1024
            unit = larger
        }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
