internal import BackstopCore

/// The codes that failures can have: those of Backstop, and those of the table's own samples.
struct KnownCodes {
    /// Kinds whose codes the service or the app chooses.
    private static let open: Set<Substring> = ["service", "rejected"]

    /// Those of the samples, and so all that the core declares, but not most statuses.
    private static let defined = Set(FailureSamples.all.map(\.failure.code))

    private let codes: Set<String>
    private let names: Set<String>

    init(_ rows: [FailureMatrix.Row]) {
        codes = Self.defined.union(rows.map(\.code))
        names = Set(FailureSamples.all.map(\.name) + rows.map(\.name))
    }

    /// Whether a code, a code that ends in `.*`, a whole kind, or the name of a sample is known.
    func contains(_ code: String) -> Bool {
        guard !codes.contains(code), !names.contains(code) else {
            return true
        }
        let parts = code.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = parts.first, let rest = parts.last, !rest.isEmpty else {
            return false
        }
        if Self.open.contains(kind) {
            return true
        }
        if parts.count == 1 || code.hasSuffix(".*") {
            let whole = parts.count == 1 ? kind : code.dropLast(2)
            return codes.contains { $0 == whole || $0.hasPrefix("\(whole).") }
        }
        return kind == "status" && Int(rest).map { (100...599).contains($0) && "\($0)" == rest } == true
    }

    /// The code that was probably meant; nil when none is close.
    func similar(to code: String) -> String? {
        let kinds = Set(codes.map { "\($0.prefix { $0 != "." }).*" })
        return SimilarKey.find(code, among: (codes.union(names).union(kinds)).sorted())
    }
}
