#if Demo
    internal import Foundation

    /// The results of a storm as a picture: for each policy, load and good answers over time, as shares of what the
    /// server can serve. Readable on light and on dark backgrounds.
    struct StormChart {
        let results: [StormResult]
        let settings: StormSettings

        private let width = 800
        private let left = 56
        private let panelHeight = 96
        private let gap = 44
        private let top = 80
        /// How many columns a curve has at most; a longer run is averaged.
        private let columns = 360

        private var plotWidth: Int { width - left - 16 }
        private var height: Int { top + results.count * (panelHeight + gap) + 8 }

        /// The picture as SVG.
        var svg: String {
            var lines = [
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
                height="\(height)" role="img" aria-label="Load and good answers over time, for each retry policy">
                """,
                """
                <style>
                svg { --ink: #1b1f24; --paper: #ffffff; --soft: #d0d7de; --load: #c4432b; --good: #1a7f4b; --dark: #eef1f4 }
                @media (prefers-color-scheme: dark) {
                svg { --ink: #e6edf3; --paper: #0d1117; --soft: #3a424c; --load: #ff8a70; --good: #4fd18b; --dark: #1d242d }
                }
                text { font: 12px system-ui, sans-serif; fill: var(--ink) } .name { font-weight: 600 }
                .axis { stroke: var(--soft); stroke-width: 1 } .outage { fill: var(--dark) }
                .load { fill: none; stroke: var(--load); stroke-width: 1.5 }
                .good { fill: var(--good); fill-opacity: .25; stroke: var(--good); stroke-width: 1.5 }
                </style>
                """,
                "<rect width=\"\(width)\" height=\"\(height)\" fill=\"var(--paper)\"/>",
            ]
            for (number, line) in caption.enumerated() {
                lines.append(text(line, x: 16, y: 24 + 16 * number))
            }
            lines += [
                "<line x1=\"16\" y1=\"58\" x2=\"40\" y2=\"58\" class=\"load\"/>", text("requests sent", x: 46, y: 62),
                "<line x1=\"160\" y1=\"58\" x2=\"184\" y2=\"58\" class=\"good\"/>",
                text("answers in time, both over capacity", x: 190, y: 62),
            ]
            for (position, result) in results.enumerated() {
                lines += panel(result, at: top + 20 + position * (panelHeight + gap))
            }
            return lines.joined(separator: "\n") + "\n</svg>\n"
        }

        /// The settings in two lines, because one is wider than the picture.
        private var caption: [String] {
            let parts = StormReport.summary(settings).components(separatedBy: ", ")
            return [parts.prefix(3), parts.dropFirst(3)].map { $0.joined(separator: ", ") }
        }

        private func panel(_ result: StormResult, at y: Int) -> [String] {
            let load = averages(result.load)
            let good = averages(result.good)
            // Never below 1, so that the policies can be compared by eye.
            let most = max(1.2, load.max() ?? 0, good.max() ?? 0)
            let bottom = y + panelHeight
            let recovery =
                settings.outage == 0
                ? "" : result.recoverySeconds.map { "recovers after \($0) s, " } ?? "does not recover, "
            var lines = [
                text(result.title, x: left, y: y - 6, class: "name"),
                text(
                    recovery + "\(StormReport.percent(result.succeeded)) of calls succeed", x: width - 16, y: y - 6,
                    anchor: "end"),
            ]
            if settings.outage > 0 {
                let start = x(ofSecond: settings.outageTime.lowerBound)
                let end = x(ofSecond: settings.outageTime.upperBound)
                lines.append(
                    "<rect x=\"\(start)\" y=\"\(y)\" width=\"\(coordinate(end - start))\" height=\"\(panelHeight)\" "
                        + "class=\"outage\"/>")
            }
            for share in [0.0, 1.0] {
                let line = coordinate(Double(bottom) - share / most * Double(panelHeight))
                lines.append(
                    "<line x1=\"\(left)\" y1=\"\(line)\" x2=\"\(left + plotWidth)\" y2=\"\(line)\" class=\"axis\"/>")
                lines.append(text("\(Int(share))", x: left - 8, y: Int(line.rounded()) + 4, anchor: "end"))
            }
            let goodLine = points(good, most: most, bottom: bottom)
            lines.append(
                "<polygon points=\"\(left),\(bottom) \(goodLine) \(left + plotWidth),\(bottom)\" class=\"good\"/>")
            lines.append("<polyline points=\"\(points(load, most: most, bottom: bottom))\" class=\"load\"/>")
            // At most a dozen marks on the time axis.
            let ticks = [10, 30, 60, 120, 300, 600, 1200, 3600]
            let tick = ticks.first { settings.duration / $0 <= 12 } ?? max(1, settings.duration)
            for second in stride(from: 0, through: settings.duration, by: tick) {
                lines.append(
                    text("\(second) s", x: Int(x(ofSecond: second).rounded()), y: bottom + 14, anchor: "middle"))
            }
            return lines
        }

        private func averages(_ counts: [Int32]) -> [Double] {
            let width = max(1, (counts.count + columns - 1) / columns)
            return stride(from: 0, to: counts.count, by: width).map { start in
                let part = counts[start..<min(start + width, counts.count)]
                let sum = part.reduce(into: 0) { $0 += Int($1) }
                return Double(sum) / Double(part.count) / settings.capacity
            }
        }

        private func points(_ values: [Double], most: Double, bottom: Int) -> String {
            values.enumerated()
                .map { index, value in
                    let x = Double(left) + Double(plotWidth) * Double(index) / Double(max(1, values.count - 1))
                    let y = Double(bottom) - value / most * Double(panelHeight)
                    return "\(coordinate(x)),\(coordinate(y))"
                }
                .joined(separator: " ")
        }

        private func x(ofSecond second: Int) -> Double {
            coordinate(Double(left) + Double(plotWidth) * Double(second) / Double(max(1, settings.duration)))
        }

        private func coordinate(_ value: Double) -> Double {
            (value * 10).rounded() / 10
        }

        private func text(
            _ content: String, x: Int, y: Int, anchor: String = "start", class name: String? = nil
        ) -> String {
            let mark = name.map { " class=\"\($0)\"" } ?? ""
            return "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\"\(mark)>\(Self.escaped(content))</text>"
        }

        private static func escaped(_ text: String) -> String {
            text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        }
    }
#endif
