#if canImport(Combine) || OpenCombine
    extension ClockScheduler.SchedulerTimeType {
        /// A length of time, such as `.milliseconds(800)`.
        public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Sendable {
            /// The length.
            public private(set) var duration: Duration

            /// Makes a length of time.
            public init(_ duration: Duration) {
                self.duration = duration
            }

            /// So many nanoseconds.
            public init(integerLiteral nanoseconds: Int64) {
                self.init(.nanoseconds(nanoseconds))
            }

            /// So many nanoseconds; nil when there are too many.
            public init?(exactly nanoseconds: some BinaryInteger) {
                guard let count = Int64(exactly: nanoseconds) else {
                    return nil
                }
                self.init(.nanoseconds(count))
            }

            /// The length without its sign.
            public var magnitude: Self { duration < .zero ? Self(.zero - duration) : self }

            /// Whether the left is shorter.
            public static func < (left: Self, right: Self) -> Bool { left.duration < right.duration }
            /// Both together.
            public static func + (left: Self, right: Self) -> Self { Self(left.duration + right.duration) }
            /// The left without the right.
            public static func - (left: Self, right: Self) -> Self { Self(left.duration - right.duration) }
            /// The left, as often as the right has nanoseconds: a length is a number of nanoseconds.
            public static func * (left: Self, right: Self) -> Self { Self(left.duration * right.nanoseconds) }
            /// Adds the right.
            public static func += (left: inout Self, right: Self) { left = left + right }
            /// Takes the right away.
            public static func -= (left: inout Self, right: Self) { left = left - right }
            /// Multiplies with the right.
            public static func *= (left: inout Self, right: Self) { left = left * right }

            /// So many seconds.
            public static func seconds(_ seconds: Int) -> Self { Self(.seconds(seconds)) }
            /// So many seconds.
            public static func seconds(_ seconds: Double) -> Self { Self(.seconds(seconds)) }
            /// So many milliseconds.
            public static func milliseconds(_ count: Int) -> Self { Self(.milliseconds(count)) }
            /// So many microseconds.
            public static func microseconds(_ count: Int) -> Self { Self(.microseconds(count)) }
            /// So many nanoseconds.
            public static func nanoseconds(_ count: Int) -> Self { Self(.nanoseconds(count)) }

            /// The whole nanoseconds.
            private var nanoseconds: Int64 {
                duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
            }
        }
    }
#endif
