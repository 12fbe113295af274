extension Array where Element: Sendable {
    /// The results of work on the elements, in their order: on so many at once.
    package func mapped<Result: Sendable>(
        atOnce width: Int, _ work: @escaping @Sendable (Element) async -> Result
    ) async -> [Result] {
        await withTaskGroup(of: (Int, Result).self) { group in
            var results: [Int: Result] = [:]
            for (position, element) in enumerated() {
                if position >= width, let (done, result) = await group.next() {
                    results[done] = result
                }
                group.addTask { (position, await work(element)) }
            }
            for await (done, result) in group {
                results[done] = result
            }
            return indices.compactMap { results[$0] }
        }
    }
}
