extension Duration {
    /// Where sums end, after zero and before it: close to the end of `Duration`, beyond
    /// which they trap.
    private static let longest = Duration.seconds(Int64.max) * 18
    private static let shortest = Duration.seconds(-Int64.max) * 18

    /// The sum, or the end of all sums when it lies beyond: for a moment and a time that a caller chose.
    package func adding(_ other: Duration) -> Duration {
        if other > .zero {
            return self > Self.longest - other ? max(self, Self.longest) : self + other
        }
        return self < Self.shortest - other ? min(self, Self.shortest) : self + other
    }

    /// The difference, or the end of all sums when it lies beyond.
    package func subtracting(_ other: Duration) -> Duration {
        if other > .zero {
            return self < Self.shortest + other ? min(self, Self.shortest) : self - other
        }
        return self > Self.longest + other ? max(self, Self.longest) : self - other
    }
}
