internal import BackstopCore
internal import Foundation

extension Data {
    /// Adds a member at the end of a JSON object that is the whole of these bytes or a part: of members with the same key,
    /// servers take the last.
    mutating func addMember(_ member: String, to object: Range<Int>) {
        let isEmpty = withUnsafeBytes { bytes in
            var isEmpty = true
            _ = JSONReader(UnsafeRawBufferPointer(rebasing: bytes[object])).forEachChild { _, _ in
                isEmpty = false
                return false
            }
            return isEmpty
        }
        if let end = self[object].lastIndex(of: UInt8(ascii: "}")) {
            insert(contentsOf: Data(((isEmpty ? "" : ",") + member).utf8), at: end)
        }
    }
}
