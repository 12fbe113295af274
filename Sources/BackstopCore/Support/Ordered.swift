extension Sequence {
    /// The elements in order, equal ones as they were.
    ///
    /// It sorts their numbers, because a sort of each type's own is three kilobytes of code.
    package func ordered(by isBefore: (Element, Element) -> Bool) -> [Element] {
        let all = Array(self)
        return order(all.count) { isBefore(all[$0], all[$1]) }.map { all[$0] }
    }
}

@inline(never)
private func order(_ count: Int, by isBefore: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted(by: isBefore)
}
