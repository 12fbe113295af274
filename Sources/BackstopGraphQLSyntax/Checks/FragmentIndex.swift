/// The fragments of a document by name, each with the fragments that it uses in turn.
///
/// Make one for many questions about the same document; each question of a ``GraphQLDocument`` makes its own.
package struct FragmentIndex: Sendable {
    private let fragments: [String: GraphQLDocument.Fragment]
    private let spreads: [String: [GraphQLDocument.FragmentSpread]]

    /// Reads the fragments of a document. Of several with one name, the first counts.
    package init(_ document: GraphQLDocument) {
        fragments = Dictionary(document.fragments.map { ($0.name, $0) }) { first, _ in first }
        spreads = fragments.mapValues(\.selections.spreads)
    }

    /// The fragment of this name; nil when there is none.
    package subscript(name: String) -> GraphQLDocument.Fragment? {
        fragments[name]
    }

    /// The fragments that an operation uses, directly or through other fragments, sorted by name.
    /// - Throws: The first use of a fragment that does not exist, or that uses itself.
    package func fragments(
        usedBy operation: GraphQLDocument.Operation
    ) throws(GraphQLIssue) -> [GraphQLDocument.Fragment] {
        let walk = walk(from: operation.selections.spreads, in: operation.file)
        if let issue = walk.issues.first { throw issue }
        return walk.reached.sorted().compactMap { fragments[$0] }
    }

    /// The text of an operation as it is sent and hashed.
    ///
    /// It is the ``GraphQLDocument/Operation/text`` of the operation, followed by the
    /// ``GraphQLDocument/Fragment/text`` of each fragment that it uses, directly or not, sorted by name (by the bytes
    /// of UTF-8), with one `\n` between them and none at the end. What stands between definitions in a file,
    /// comments and descriptions, is not part of it; what stands inside a definition is, to the letter.
    /// - Throws: The first use of a fragment that does not exist, or that uses itself.
    package func source(of operation: GraphQLDocument.Operation) throws(GraphQLIssue) -> String {
        let fragments = try fragments(usedBy: operation)
        return ([operation.text] + fragments.map(\.text)).joined(separator: "\n")
    }

    /// Every use of a fragment that does not exist, and every fragment that uses itself.
    func issues(in document: GraphQLDocument) -> [GraphQLIssue] {
        var issues: [GraphQLIssue] = []
        for operation in document.operations {
            let missing = operation.selections.spreads.filter { fragments[$0.name] == nil }
            issues += missing.map { unknown($0, in: operation.file) }
        }
        // One walk over all fragments meets each of them, and every cycle, once.
        return issues + walk(from: document.fragments.map(\.name)).issues
    }

    /// The names of the fragments that some operation uses, directly or not.
    func used(by operations: [GraphQLDocument.Operation]) -> Set<String> {
        walk(from: operations.flatMap(\.selections.spreads).map(\.name)).reached
    }

    /// The fragments that an operation uses, directly or not, as far as they exist; and whether one does not.
    func reached(from operation: GraphQLDocument.Operation) -> (fragments: [GraphQLDocument.Fragment], isWhole: Bool) {
        let walk = walk(from: operation.selections.spreads, in: operation.file)
        let isWhole = !walk.issues.contains { $0.kind == .unknownFragment }
        return (walk.reached.sorted().compactMap { fragments[$0] }, isWhole)
    }

    // MARK: The walk

    private struct Walk {
        var reached: Set<String> = []
        var issues: [GraphQLIssue] = []
        /// The fragments from the start down to the one at hand, each with the spreads still to follow.
        var path: [(fragment: GraphQLDocument.Fragment, next: Int)] = []
        /// Where on the path a fragment is.
        var positions: [String: Int] = [:]
    }

    private func walk(from spreads: [GraphQLDocument.FragmentSpread], in file: String) -> Walk {
        var walk = Walk()
        for spread in spreads {
            if fragments[spread.name] == nil { walk.issues.append(unknown(spread, in: file)) }
            follow(spread.name, &walk)
        }
        return walk
    }

    private func walk(from names: [String]) -> Walk {
        var walk = Walk()
        for name in names { follow(name, &walk) }
        return walk
    }

    /// Goes through a fragment and what it uses, depth first, without recursion: chains may be long.
    private func follow(_ name: String, _ walk: inout Walk) {
        open(name, &walk)
        while let (fragment, next) = walk.path.last {
            let spreads = spreads[fragment.name] ?? []
            guard next < spreads.count else {
                walk.path.removeLast()
                walk.positions[fragment.name] = nil
                continue
            }
            walk.path[walk.path.count - 1].next += 1
            let spread = spreads[next]
            if let position = walk.positions[spread.name] {
                walk.issues.append(cycle(spread, walk.path[position...].map(\.fragment.name), in: fragment.file))
            } else if fragments[spread.name] == nil {
                walk.issues.append(unknown(spread, in: fragment.file))
            } else {
                open(spread.name, &walk)
            }
        }
    }

    private func open(_ name: String, _ walk: inout Walk) {
        guard let fragment = fragments[name], walk.reached.insert(name).inserted else { return }
        walk.positions[name] = walk.path.count
        walk.path.append((fragment, 0))
    }

    private func unknown(_ spread: GraphQLDocument.FragmentSpread, in file: String) -> GraphQLIssue {
        let message = "no fragment is named \"\(spread.name)\""
        return GraphQLIssue(kind: .unknownFragment, file: file, location: spread.range.start, message: message)
    }

    private func cycle(
        _ spread: GraphQLDocument.FragmentSpread, _ names: [String], in file: String
    ) -> GraphQLIssue {
        var message = "the fragment \"\(spread.name)\" uses itself"
        if names.count > 1 {
            let shown = names.count > 8 ? Array(names.prefix(4)) + ["..."] + Array(names.suffix(3)) : names
            message += ": " + (shown + [spread.name]).joined(separator: " > ")
        }
        return GraphQLIssue(kind: .fragmentCycle, file: file, location: spread.range.start, message: message)
    }
}
