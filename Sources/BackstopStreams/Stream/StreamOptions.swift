public import BackstopCore

/// How a stream is read.
public struct StreamOptions: Sendable {
    /// How many bytes may wait to be read before the server has to.
    ///
    /// Default: 256 KiB. Range: 1 KiB to 64 MiB. Another 256 KiB may be read ahead. Over `URLSession` on Linux, no server
    /// can be made to wait: there, a stream fails with `transport.overrun` once 16 MiB more have arrived.
    public let window: Int
    /// How long the server may be silent while the reader waits; nil for any time. More than 0.
    ///
    /// Default: 60 s. It never counts while the reader does something else.
    public let silence: Duration?

    /// The default options.
    public static let standard = StreamOptions(checked: 256 << 10, .seconds(60))

    /// The same over a transport that looks after the silence of its connection itself.
    package var patient: StreamOptions { StreamOptions(checked: window, nil) }

    /// Makes options.
    ///
    /// - Throws: `ConfigurationError` for a value out of its range.
    public init(window: Int = 256 << 10, silence: Duration? = .seconds(60)) throws(ConfigurationError) {
        try ConfigurationError.require(
            (1024...(64 << 20)).contains(window), "StreamOptions.window",
            "must be from 1024 to 67108864 bytes, but is \(window)", fix: "Set how many bytes may wait to be read")
        try ConfigurationError.require(silence: silence, "StreamOptions.silence")
        self.init(checked: window, silence)
    }

    private init(checked window: Int, _ silence: Duration?) {
        self.window = window
        self.silence = silence
    }
}

extension ConfigurationError {
    /// Refuses a limit on the silence of a server that none could keep.
    package static func require(silence: Duration?, _ setting: String) throws(ConfigurationError) {
        try require(
            silence.map { $0 > .zero } ?? true, setting, "must be more than 0, but is \(silence?.description ?? "")",
            fix: "Set how long the server may be silent, or nil for any time")
    }
}
