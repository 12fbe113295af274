public import BackstopCore

/// How a file is downloaded.
public struct DownloadOptions: Sendable {
    /// What to do with a file that is there already.
    public enum Existing: Sendable {
        /// The download fails with `storage.exists`: before anything is sent, or at its end.
        case refuse
        /// The new one takes its place, in one step, when it is whole.
        case replace
    }

    /// What to do with a file that is there already. Default: ``Existing/refuse``.
    public let existing: Existing
    /// The SHA-256 that the file must have, in 64 hexadecimal digits; nil for any. Default: nil.
    public let sha256: String?
    /// How many bytes the file may have; nil for any number. Default: nil. A larger one is `transport.tooLarge`.
    public let limit: Int64?
    /// The POSIX permissions of the file, such as `0o600`; nil for those of any new file. Default: nil.
    ///
    /// If set, only its owner may read the file until it is whole.
    public let permissions: Int?
    /// How long the server may be silent; nil for any time. Default: 60 s.
    public let silence: Duration?

    /// The default options.
    public static let standard = DownloadOptions(checked: .refuse, nil, nil, nil, .seconds(60))

    /// Makes options.
    ///
    /// - Throws: `ConfigurationError` for a value out of its range.
    public init(
        existing: Existing = .refuse, sha256: String? = nil, limit: Int64? = nil, permissions: Int? = nil,
        silence: Duration? = .seconds(60)
    ) throws(ConfigurationError) {
        try ConfigurationError.require(
            sha256.map { $0.utf8.count == 64 && $0.allSatisfy(\.isHexDigit) } ?? true, "DownloadOptions.sha256",
            "must have 64 hexadecimal digits, but has \(sha256?.count ?? 0) characters",
            fix: "Pass what `sha256sum` prints for the file")
        try ConfigurationError.require(
            limit ?? 0 >= 0, "DownloadOptions.limit", "must not be negative, but is \(limit ?? 0)",
            fix: "Set a number of bytes, or nil for any")
        try ConfigurationError.require(
            (0...0o777).contains(permissions ?? 0), "DownloadOptions.permissions",
            "must be from 0 to 0o777, but is \(permissions ?? 0)", fix: "Set permissions such as 0o600")
        try ConfigurationError.require(silence: silence, "DownloadOptions.silence")
        self.init(checked: existing, sha256?.lowercased(), limit, permissions, silence)
    }

    private init(
        checked existing: Existing, _ sha256: String?, _ limit: Int64?, _ permissions: Int?, _ silence: Duration?
    ) {
        self.existing = existing
        self.sha256 = sha256
        self.limit = limit
        self.permissions = permissions
        self.silence = silence
    }
}
