extension GraphQLDocument {
    /// The operation of this name; nil when there is none. Of several, the first.
    package func operation(named name: String) -> Operation? {
        operations.first { $0.name == name }
    }

    /// The fragment of this name; nil when there is none. Of several, the first.
    package func fragment(named name: String) -> Fragment? {
        fragments.first { $0.name == name }
    }

    /// The fragments that an operation uses, directly or through other fragments, sorted by name.
    /// - Throws: The first use of a fragment that does not exist, or that uses itself.
    package func fragments(usedBy operation: Operation) throws(GraphQLIssue) -> [Fragment] {
        try FragmentIndex(self).fragments(usedBy: operation)
    }

    /// The text of an operation with its fragments, as ``FragmentIndex/source(of:)`` describes.
    /// - Throws: The first use of a fragment that does not exist, or that uses itself.
    package func source(of operation: Operation) throws(GraphQLIssue) -> String {
        try FragmentIndex(self).source(of: operation)
    }

    /// What is wrong with the operations and fragments as a whole, sorted by file and place.
    ///
    /// All that GraphQL forbids and that can be told without a schema (5.2, 5.4.2, 5.5, 5.6.3, 5.8): two operations,
    /// fragments, variables or arguments of one name, an operation without a name beside others, a fragment that
    /// does not exist, uses itself or is not used, and a variable that is not declared or not used.
    /// - Parameter requiringNames: Whether an operation without a name is an error even when it is alone.
    package func issues(requiringNames: Bool = false) -> [GraphQLIssue] {
        let index = FragmentIndex(self)
        let fragments = index.issues(in: self) + unusedFragments(index)
        return (namelessOperations(requiringNames) + duplicates() + fragments + inputIssues(index))
            .sorted { ($0.file, $0.location.offset, $0.message) < ($1.file, $1.location.offset, $1.message) }
    }

    private func namelessOperations(_ requiringNames: Bool) -> [GraphQLIssue] {
        let operations = operations
        guard requiringNames || operations.count > 1 else { return [] }
        let message =
            requiringNames ? "an operation of a file needs a name" : "an operation next to others needs a name"
        return operations.filter { $0.name == nil }.map { operation in
            GraphQLIssue(
                kind: .namelessOperation, file: operation.file, location: operation.range.start, message: message)
        }
    }

    private func duplicates() -> [GraphQLIssue] {
        let named = operations.compactMap { operation in
            operation.name.map { (name: $0, file: operation.file, location: operation.nameRange.start) }
        }
        let fragments = fragments.map { (name: $0.name, file: $0.file, location: $0.nameRange.start) }
        return repeated(named, "an operation") + repeated(fragments, "a fragment")
    }

    private func repeated(
        _ definitions: [(name: String, file: String, location: GraphQLLocation)], _ kind: String
    ) -> [GraphQLIssue] {
        var first: [String: String] = [:]
        var issues: [GraphQLIssue] = []
        for (name, file, location) in definitions {
            if let place = first[name] {
                let message = "\(kind) named \"\(name)\" already exists, at \(place)"
                issues.append(GraphQLIssue(kind: .duplicateName, file: file, location: location, message: message))
            } else {
                first[name] = file.isEmpty ? "\(location)" : "\(file):\(location)"
            }
        }
        return issues
    }

    private func unusedFragments(_ index: FragmentIndex) -> [GraphQLIssue] {
        let used = index.used(by: operations)
        return fragments.filter { !used.contains($0.name) }.map { fragment in
            let message = "no operation uses the fragment \"\(fragment.name)\""
            return GraphQLIssue(
                kind: .unusedFragment, file: fragment.file, location: fragment.nameRange.start, message: message)
        }
    }
}
