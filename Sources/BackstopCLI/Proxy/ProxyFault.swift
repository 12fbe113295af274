#if Demo
    internal import BackstopTesting
    internal import Foundation

    /// What breaks a call on its way through the proxy, which calls, and how many of them.
    ///
    /// It is written the same way for the command, for scripts and by the page: `GET /orders/* 503 retry-after=30 times=2`.
    struct ProxyFault: Sendable {
        enum Kind: Sendable, Equatable {
            /// Answered with it, and not passed on.
            case status(Int)
            case word(Word)
        }

        enum Word: String, CaseIterable {
            /// Never answered, and not passed on.
            case timeout
            /// Passed on; in the place of the answer, the connection is reset.
            case drop
            /// Passed on; half of the answer's body comes.
            case cut
            /// Answered with a page of HTML and 200, as the network of a hotel does, and not passed on.
            case html
            /// Passed on after some seconds.
            case slow
            /// The connection is reset at once, and nothing is passed on.
            case offline
        }

        /// How it is written, for people.
        static let form = "[METHOD] [/PATH] FAULT [times=N] [share=0.2] [retry-after=SECONDS] [seconds=N]"
        /// The faults that there are.
        static let words = "400 to 599, " + Word.allCases.map(\.rawValue).joined(separator: ", ")
        /// How many bytes one may have.
        static let lengthLimit = 512

        let kind: Kind
        /// Nil for any.
        private(set) var method: String?
        /// A pattern with `*` for one segment and `**` for any number; nil for any path.
        private(set) var path: String?
        private let pattern: PathPattern?
        /// The value of `Retry-After`, in seconds; nil for none.
        private(set) var retryAfter: Int?
        /// How long it takes to be `slow`. Default: 3. Range: 0 to 600.
        private(set) var seconds = 3.0
        /// From 0, no call, to 1, all.
        private(set) var share: Double
        /// How many more calls get it; nil for any number.
        var left: Int?

        /// - Parameters:
        ///   - line: The text.
        ///   - times: How many calls get it where the text does not say; nil for any number.
        ///   - share: Which share of them, where the text does not say.
        init(_ line: String, times: Int? = nil, share: Double = 1) throws(WebRefusal) {
            guard line.utf8.count <= Self.lengthLimit, line.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
                throw .badRequest("A fault is at most \(Self.lengthLimit) printable ASCII characters on one line")
            }
            var words = line.split(separator: " ").map(String.init)[...]
            if let first = words.first, first.allSatisfy({ $0.isUppercase || $0 == "-" }) {
                method = words.popFirst()
            }
            if words.first?.hasPrefix("/") == true {
                path = words.popFirst()
            }
            guard path?.contains(where: { $0 == "?" || $0 == "#" }) != true else {
                throw .badRequest("A fault is for a path, without query or fragment: * is one segment, ** any number")
            }
            for segment in path?.split(separator: "/") ?? []
            where segment.contains("*") && segment != "*" && segment != "**" {
                throw .badRequest(
                    "\"\(segment)\" is no segment of a path: * is a whole one, ** any number, and %2A the sign itself")
            }
            pattern = path.map { PathPattern($0) }
            let kind = words.popFirst() ?? ""
            if let status = Int(kind), (400...599).contains(status) {
                self.kind = .status(status)
            } else if let word = Word(rawValue: kind) {
                self.kind = .word(word)
            } else {
                throw .badRequest("\"\(kind)\" is no fault: write \(Self.form); faults are \(Self.words)")
            }
            left = times
            self.share = share
            for word in words {
                try set(word)
            }
        }

        private mutating func set(_ option: String) throws(WebRefusal) {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = parts.count == 2 ? parts[1] : ""
            switch parts[0] {
            case "retry-after" where !name.hasPrefix("status "): throw .badRequest("\"\(option)\" is for a status only")
            case "seconds" where kind != .word(.slow): throw .badRequest("\"\(option)\" is for slow only")
            case "times": left = try Self.number(option, Int(value), in: 1...1_000_000)
            case "share": share = try Self.number(option, Double(value), in: 0...1)
            case "retry-after": retryAfter = try Self.number(option, Int(value), in: 0...86_400)
            case "seconds": seconds = try Self.number(option, Double(value), in: 0...600)
            default: throw .badRequest("\"\(option)\" is no part of a fault: write \(Self.form)")
            }
        }

        private static func number<Number: Comparable>(
            _ option: String, _ number: Number?, in range: ClosedRange<Number>
        ) throws(WebRefusal) -> Number {
            guard let number, range.contains(number) else {
                throw .badRequest("\"\(option)\" takes a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }

        /// Whether it is for a call, by its method and its path.
        func isFor(_ method: String, _ path: String) -> Bool {
            (self.method ?? method) == method && (pattern?.matches(path: path) ?? true)
        }

        /// What a call is marked with: `status 503`.
        var name: String {
            switch kind {
            case .status(let status): "status \(status)"
            case .word(.slow): "slow \(Self.text(seconds)) s"
            case .word(let word): word.rawValue
            }
        }

        /// The text that makes it again.
        var line: String {
            var words = [method, path].compactMap { $0 }
            switch kind {
            case .status(let status): words.append("\(status)")
            case .word(let word): words.append(word.rawValue)
            }
            words += retryAfter.map { ["retry-after=\($0)"] } ?? []
            words += kind == .word(.slow) ? ["seconds=\(Self.text(seconds))"] : []
            words += share < 1 ? ["share=\(Self.text(share))"] : []
            words += left.map { ["times=\($0)"] } ?? []
            return words.joined(separator: " ")
        }

        private static func text(_ number: Double) -> String {
            number == number.rounded() ? "\(Int(number))" : "\(number)"
        }
    }
#endif
