/// Finds the key that was probably meant.
package enum SimilarKey {
    /// The key in `keys` closest to an expected one; nil when none is close.
    ///
    /// Keys are close if they differ only in case, `_` and `-`, or by one typo in a name of 3 or 4 letters and by up to
    /// two in a longer one. A typo is an extra, missing, wrong or swapped letter.
    package static func find(_ wanted: String, among keys: [String]) -> String? {
        let target = loose(wanted)
        // Longer names are not compared: the cost is the product of the lengths.
        guard !target.isEmpty, target.count <= 64 else { return nil }
        let allowed = target.count < 3 ? 0 : target.count < 5 ? 1 : 2
        var best: (key: String, slips: Int)?
        for key in keys {
            let candidate = loose(key)
            guard key != wanted, abs(candidate.count - target.count) <= allowed else { continue }
            let slips = slips(candidate, target)
            if slips <= allowed, slips < best?.slips ?? .max { best = (key, slips) }
        }
        return best?.key
    }

    private static func loose(_ key: String) -> [Character] {
        key.lowercased().filter { $0 != "_" && $0 != "-" }.map { $0 }
    }

    /// The optimal string alignment distance, with three rows of the table.
    private static func slips(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let changed = last[column] + (character == other ? 0 : 1)
                var fewest = min(changed, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    fewest = min(fewest, beforeLast[column - 1] + 1)
                }
                current.append(fewest)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
