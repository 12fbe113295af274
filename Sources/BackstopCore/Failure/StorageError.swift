/// A file of a transfer could not be written or read, or is not what it should be.
public struct StorageError: Error, Sendable, FailureReasonConvertible, DescribedInDumps {
    /// What is wrong.
    public var code: Code { parts.value.code }
    /// The path of the file.
    public var path: String { parts.value.path }
    /// What is wrong with it, in words; empty if the code says it.
    public var detail: String { parts.value.detail }
    /// The system's error; nil when there is none.
    public var underlying: (any Error)? { parts.value.underlying }

    private let parts: Shared<(code: Code, path: String, detail: String, underlying: (any Error)?)>

    /// Makes the error.
    public init(_ code: Code, path: String, _ detail: String = "", underlying: (any Error)? = nil) {
        parts = Shared((code, path, detail, underlying))
    }

    /// `.storage` with this error.
    public var classifiedReason: Failure.Reason { .storage(self) }

    /// What is wrong, with the name of the file, secrets redacted.
    public var description: String { Redaction.shown(explanation) }

    /// The same with secrets. The folder may have the name of a person.
    var explanation: String {
        let name = path.split(separator: "/").last ?? ""
        return "\(name): \(detail.isEmpty ? code.explanation : detail)"
    }

    /// What is wrong with a file. The codes are declared where files are written, in `BackstopTransfers`.
    public struct Code: Sendable {
        let row: CodeRow

        /// The name: `full` of `storage.full`.
        public var name: String { row.name }
        /// What is wrong, as a sentence for developers.
        public var explanation: String { row.explanation }
        /// What a developer can do about it, as a sentence.
        public var nextStep: String { row.nextStep ?? "" }

        /// - Parameters:
        ///   - title: What happened, for people; its translation keys start with `storage.` and the name.
        ///   - text: The same in a sentence.
        ///   - suggestion: What people can do.
        package init(row name: String, explanation: String, nextStep: String, message: MessageTemplate) {
            row = CodeRow(name, explanation: explanation, nextStep: nextStep, message: message)
        }
    }
}
