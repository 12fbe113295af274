internal import Backstop

extension [ConfigurationError] {
    /// Adds an error for a setting that is not valid.
    mutating func require(
        _ isValid: Bool, _ setting: String, _ problem: @autoclosure () -> String, fix: String
    ) {
        if !isValid {
            append(ConfigurationError(setting: setting, problem: problem(), fix: fix))
        }
    }
}
