public import BackstopCore

/// A language in which a chain is drawn as a picture.
public enum DiagramFormat: String, Sendable, CaseIterable {
    /// [Mermaid](https://mermaid.js.org/syntax/flowchart.html), which GitHub and GitLab draw in Markdown.
    case mermaid
    /// [DOT](https://graphviz.org/doc/info/lang.html), which Graphviz draws: `dot -Tsvg`.
    case dot
}

extension Chain {
    /// The chain as a picture, for a README or a review: requests go down, responses come up.
    ///
    /// ```swift
    /// let chain = try HTTP.Chain(transport: ScriptedTransport()) {
    ///     Retry(.standard)
    ///     AttemptTimeout()
    /// }
    /// print(chain.diagram(.mermaid))
    /// ```
    /// Each interceptor stands with its declared counts and times. What is wrong with the order is red, or
    /// yellow for a warning, and explained by a comment.
    public func diagram(_ format: DiagramFormat = .mermaid) -> String {
        let names = interceptors.map { TypeName.short(Swift.type(of: $0)) }
        return format.text(
            profiles, names: names, transport: TypeName.short(Swift.type(of: transport)), issues: orderIssues)
    }
}

extension DiagramFormat {
    /// The picture of interceptors, outermost first; each text in it is shortened.
    package func text(
        _ profiles: [InterceptorProfile], names: [String], transport: String, issues: [OrderIssue]
    ) -> String {
        let links = zip(profiles, names).map { profile, name in
            let role = profile.role.description
            let title = name.lowercased() == role.lowercased() || role == "custom(\(name))" ? name : "\(name) (\(role))"
            return [title]
                + profile.settings.compactMap { setting in
                    switch setting.value {
                    case .count, .duration: setting.description
                    case .flag, .rejection, .decision, .object, .problem: nil
                    }
                }
        }
        let nodes = [["request"]] + links + [[transport]]
        let comment = self == .mermaid ? "%%" : "//"
        var lines = issues.map { "\(comment) \($0.rule.severity.rawValue): \(oneLine("\($0)"))" }
        lines += self == .mermaid ? ["flowchart TB"] : ["digraph chain {", Self.look]
        for (position, node) in nodes.enumerated() {
            let bad = issues.filter { $0.outerPosition == position - 1 || $0.innerPosition == position - 1 }
            let color = bad.isEmpty ? nil : bad.contains { $0.rule.severity == .error } ? "#d1242f" : "#bf8700"
            lines.append("    " + drawn(node, at: position, color: color))
        }
        for position in nodes.indices.dropFirst() {
            let link = self == .mermaid ? "<--> n\(position)" : "-> n\(position) [dir=both]"
            lines.append("    n\(position - 1) \(link)")
        }
        return (lines + (self == .mermaid ? [] : ["}"])).joined(separator: "\n")
    }

    /// How DOT draws a chain.
    private static let look = "    ranksep=0.3; node [shape=box, style=rounded, fontname=Helvetica]"

    private func drawn(_ node: [String], at position: Int, color: String?) -> String {
        let shown = node.map { escaped(oneLine($0)) }
        switch self {
        case .mermaid:
            let style = color.map { "\n    style n\(position) stroke:\($0),stroke-width:3px" } ?? ""
            return "n\(position)[\"\(shown.joined(separator: "<br/>"))\"]" + style
        case .dot:
            let style = color.map { ", color=\"\($0)\", penwidth=3" } ?? ""
            return "n\(position) [label=\"\(shown.joined(separator: "\\n"))\"\(style)]"
        }
    }

    /// Without line breaks and other control characters, which would end a comment.
    private func oneLine(_ text: String) -> String {
        Excerpt.cut(Excerpt.printable(text), to: 300)
    }

    private func escaped(_ text: String) -> String {
        // By scalars: a quote is one also with an accent on it.
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch (self, scalar) {
            case (.mermaid, "\""), (.mermaid, "#"), (.mermaid, "<"), (.mermaid, ">"), (.mermaid, "&"), (.mermaid, "`"):
                result += "#\(scalar.value);"
            case (.dot, "\""), (.dot, "\\"): result += "\\\(scalar)"
            case (.dot, "&"): result += "&amp;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
