public import BackstopCore

extension StorageError.Code: FailureCode {
    /// All codes.
    public static let builtIn: [Self] = [full, denied, missing, exists, inUse, changed, checksum, unknown]

    private static func row(
        _ name: String, _ explanation: String, _ nextStep: String, _ message: MessageTemplate = .notSaved
    ) -> Self {
        Self(row: name, explanation: explanation, nextStep: nextStep, message: message)
    }

    /// There is no space left, or the quota is used up.
    public static let full = row(
        "full", "There is no space left for the file.",
        "Free some space and start the download again.", .noSpace)

    /// The folder or the file must not be written.
    public static let denied = row(
        "denied", "The app is not allowed to write there.", "Choose a folder that the process may write to.")

    /// The folder does not exist.
    public static let missing = row(
        "missing", "There is no such folder.", "Create the folder first, or name a file in one that exists.")

    /// There is a file already that must not be replaced.
    public static let exists = row(
        "exists", "A file with this name already exists.",
        "Choose another name, remove what is there, or replace a file with DownloadOptions(existing: .replace).",
        .nameTaken)

    /// Another download writes the same file.
    public static let inUse = row(
        "inUse", "Another download writes the same file.", "Wait for the other download, or choose another name.")

    /// The file changed on the server again and again while it was fetched.
    public static let changed = row(
        "changed", "The server sent parts of different files.",
        "Look at what the server answers to Range and If-Range: it contradicts itself.")

    /// The bytes are not those that were announced.
    public static let checksum = row(
        "checksum", "The file's checksum does not match the announced one.",
        "Compare the checksum with that of the server's file.", .damaged)

    /// Any other error of the system.
    public static let unknown = row(
        "unknown", "The file could not be written.",
        "Look at the underlying error of the system, and at what else writes to the folder.")
}

extension FailurePattern {
    /// A file of a transfer could not be written or read, or is not what it should be; `.code("storage.full")` for one
    /// code.
    public static let storage = FailurePattern("storage") { $0.reason.kind == "storage" }
}
