#if Demo
    internal import ArgumentParser
    internal import BackstopCore
    internal import BackstopGraphQL

    /// `backstop order`: a drawing of a chain, with its order issues.
    struct OrderCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "order",
            abstract: "Draws a chain and lists its order issues.",
            discussion: """
                Roles, outermost first: \(Role.graphQLOrder.map(\.name).joined(separator: ", ")).
                A role of your own is written custom(name).
                Exit status: 0 when the order is right, 1 when something is wrong with it, 2 for an unknown role, \
                3 when the output could not be written.
                """)

        @Argument(help: "The roles, outermost first, separated by commas.")
        var roles: String

        func validate() throws {
            _ = try parse()
        }

        func run() throws {
            let roles = try parse()
            let issues = OrderIssue.issues(in: roles)
            let style = Style(color: Console.color)
            try Console.write(Self.picture(roles, issues: issues, style: style))
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

        private func parse() throws -> [Role] {
            let names = roles.split(separator: ",").map { $0.drop { $0 == " " } }.map { name in
                String(name.reversed().drop { $0 == " " }.reversed())
            }
            guard !names.isEmpty else {
                throw ValidationError("Name at least one role.")
            }
            return try names.map { name in
                guard let role = Self.role(name) else {
                    throw ValidationError(
                        "There is no role \"\(name)\". The roles are: "
                            + Role.graphQLOrder.map(\.name).joined(separator: ", ")
                            + ". Write a role of your own as custom(name).")
                }
                return role
            }
        }

        /// The role with this name, or an app's own for `custom(name)`; nil for any other text.
        static func role(_ text: String) -> Role? {
            guard text.hasPrefix("custom("), text.hasSuffix(")"), text.count > 8 else {
                return Role.graphQLOrder.first { $0.name == text }
            }
            return .custom(String(text.dropFirst(7).dropLast()))
        }

        /// The interceptors as nested boxes, the request going down on the left, the response coming up on the right.
        static func picture(_ roles: [Role], issues: [OrderIssue], style: Style) -> String {
            let rows = roles.map(\.description) + ["transport"]
            let width = rows.enumerated().map { $0.offset * 2 + $0.element.count }.max() ?? 0
            var lines = ["request".padded(to: width + 6) + "response"]
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

    extension String {
        fileprivate func padded(to width: Int) -> String {
            self + String(repeating: " ", count: max(0, width - count))
        }
    }
#endif
