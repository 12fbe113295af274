extension Trace {
    /// How ``Trace/text(style:)`` draws.
    public struct TextStyle: Sendable, Hashable {
        /// How many columns the bars take, from 10 to 200. Default: 40.
        public var barWidth = 40
        /// Whether to use ANSI colors. Default: false.
        public var color = false

        /// The default style.
        public init() {}
    }

    /// A waterfall without color.
    public var text: String {
        text(style: TextStyle())
    }

    /// A waterfall: one line per attempt, wait, note and traced interceptor, with a bar that shows its time.
    ///
    /// ```
    /// attempt 1  ████                                      12 ms  status.503
    /// wait           ░░░░░░░░░░░░░░░░░░░░░░░░░░            95 ms  backoff
    /// attempt 2                                ██████████  31 ms  ok
    /// ```
    public func text(style: TextStyle) -> String {
        let width = min(max(style.barWidth, 10), 200)
        let total = max(duration.seconds, 1e-9)
        let rows = withoutValues.rows
        let labelWidth = rows.map { $0.label.count }.max() ?? 0
        let timeWidth = rows.map { $0.time.count }.max() ?? 0
        return rows.map { row in
            let label = row.label + String(repeating: " ", count: labelWidth - row.label.count)
            let time = String(repeating: " ", count: timeWidth - row.time.count) + row.time
            let bar = row.bar(width: width, total: total)
            return "\(label)  \(style.color ? row.kind.colored(bar) : bar)  \(time)  \(row.text)"
        }.joined(separator: "\n")
    }

    private var rows: [Row] {
        var rows: [Row] = []
        for attempt in attempts {
            if attempt.wait > .zero {
                rows.append(
                    Row(
                        label: "wait", kind: .wait, start: attempt.start - attempt.wait, duration: attempt.wait,
                        text: attempt.waitReason ?? ""))
            }
            rows.append(
                Row(
                    label: "attempt \(attempt.number)", kind: attempt.result == .ok ? .good : .bad,
                    start: attempt.start, duration: attempt.duration, text: attempt.result.description))
            let inside = events.filter { $0.attempt == attempt.number }
            rows += inside.filter { $0.kind == .interceptor }.ordered { ($0.depth ?? 0) < ($1.depth ?? 0) }.map {
                event in
                Row(
                    label: "  " + String(repeating: " ", count: event.depth ?? 0) + event.name, kind: .interceptor,
                    start: event.time, duration: event.duration ?? .zero, text: event.text)
            }
            rows += inside.filter { $0.kind == .note }.map { event in
                Row(
                    label: "  " + Excerpt.printable(event.name), kind: .note, start: event.time, duration: nil,
                    text: Excerpt.printable(event.text))
            }
        }
        return rows
    }

    private struct Row {
        /// With the number of its color in a terminal.
        enum Kind: String {
            case good = "32", bad = "31", wait = "33", interceptor = "36", note = "2"

            func colored(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
        }

        let label: String
        let kind: Kind
        let start: Duration
        let duration: Duration?
        let text: String

        var time: String {
            duration?.text ?? start.text
        }

        func bar(width: Int, total: Double) -> String {
            // A tolerance of a millionth of a column, so that 0.3 of 0.4 is three quarters in binary too.
            let columns = Double(width) / total
            let from = Int(min(Double(width - 1), max(0, start.seconds * columns + 1e-6)))
            let end = duration.map { (start + $0).seconds * columns - 1e-6 } ?? Double(from + 1)
            let to = Int(min(Double(width), max(Double(from + 1), end.rounded(.up))))
            let mark =
                switch kind {
                case .good, .bad: "█"
                case .wait: "░"
                case .interceptor: "─"
                case .note: "•"
                }
            return String(repeating: " ", count: from) + String(repeating: mark, count: to - from)
                + String(repeating: " ", count: width - to)
        }
    }
}
