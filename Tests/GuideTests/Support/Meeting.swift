/// Lets everybody who arrives go on at the same time, as soon as so many have arrived.
actor Meeting {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of count: Int) {
        missing = count
    }

    /// Suspends until all have arrived; returns at once for those who come later.
    func arrive() async {
        missing -= 1
        guard missing > 0 else {
            for continuation in waiting {
                continuation.resume()
            }
            waiting = []
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }
}
