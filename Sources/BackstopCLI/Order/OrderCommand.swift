#if Demo
    internal import ArgumentParser
    internal import BackstopCore
    internal import BackstopGraphQL
    internal import BackstopTesting

    /// `backstop order`: a drawing of a chain, with its order issues.
    struct OrderCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "order",
            abstract: "Draws a chain and lists what is wrong with its order and its settings.",
            discussion: """
                Roles, outermost first: \(Role.graphQLOrder.map(\.name).joined(separator: ", ")).
                A role of your own is written custom(name).
                Settings are written in parentheses: \
                \(OrderText.settings.sorted { $0.key < $1.key }.map { "\($0.key)(\($0.value.joined(separator: ", ")))" }
                    .joined(separator: ", ")).
                Example: "Deadline(5s), Retry(attempts: 5, cap: 20s), AttemptTimeout(2s)"
                Exit status: 0 when all is right, 1 when something is wrong, 2 for an unknown role or setting, \
                3 when the output could not be written.
                """)

        @Argument(help: "The roles, outermost first, separated by commas; settings in parentheses.")
        var roles: String

        /// How the chain is drawn.
        enum Format: String, ExpressibleByArgument, CaseIterable {
            case text, mermaid, dot
        }

        @Option(help: "How to draw it: text, mermaid (for Markdown on GitHub) or dot (for Graphviz: dot -Tsvg).")
        var format = Format.text

        func validate() throws {
            do {
                _ = try OrderText(roles)
            } catch let error as ConfigurationError {
                throw ValidationError("\(error)")
            }
        }

        func run() throws {
            let profiles = try OrderText(roles).profiles
            let issues = OrderIssue.issues(in: profiles)
            if let format = DiagramFormat(rawValue: format.rawValue) {
                // What is wrong stands in it, as comments.
                let names = profiles.map(\.role.description)
                try Console.write(format.text(profiles, names: names, transport: "transport", issues: issues))
                guard issues.isEmpty else {
                    throw ExitCode(1)
                }
                return
            }
            let style = Style(color: Console.color)
            try Console.write(Self.picture(profiles.map(\.role), issues: issues, style: style))
            try Console.write("")
            guard !issues.isEmpty else {
                try Console.write(style.green("The order is right."))
                return
            }
            for issue in issues {
                let severity = issue.rule.severity == .error ? style.red("error") : style.yellow("warning")
                try Console.write("\(severity): \(issue)")
            }
            throw ExitCode(1)
        }

        /// The interceptors as nested boxes, the request going down on the left, the response coming up on the right.
        static func picture(_ roles: [Role], issues: [OrderIssue], style: Style) -> String {
            let rows = roles.map(\.description) + ["transport"]
            let width = rows.enumerated().map { $0.offset * 2 + $0.element.count }.max() ?? 0
            var lines = ["request" + String(repeating: " ", count: width + 6 - "request".count) + "response"]
            for (position, row) in rows.enumerated() {
                let bad = issues.filter { $0.outerPosition == position || $0.innerPosition == position }
                let isError = bad.contains { $0.rule.severity == .error }
                let name = bad.isEmpty ? row : isError ? style.red(row) : style.yellow(row)
                let mark = bad.isEmpty ? "" : isError ? "  ✗" : "  !"
                let left = "  ↓ " + String(repeating: "  ", count: position)
                let fill = String(repeating: " ", count: width - position * 2 - row.count)
                lines.append(left + name + fill + "  ↑" + mark)
            }
            return lines.joined(separator: "\n")
        }
    }
#endif
