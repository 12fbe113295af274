internal import BackstopCore
internal import Foundation

/// Removes secrets from the texts and URLs of errors and their underlying errors.
struct ErrorRedactor {
    let redaction: Redaction

    /// How deep errors and lists of them are followed; deeper ones are dropped.
    private static let depthLimit = 8
    /// How many elements of a list or a dictionary are kept.
    private static let countLimit = 100
    /// How many scalars of a text are kept.
    private static let textLimit = 10_000

    /// The error with the same domain and code, without secrets; a system error that has none is returned unchanged.
    func redacted(_ error: any Error) -> NSError {
        redacted(error, depth: 0)
    }

    private func redacted(_ error: any Error, depth: Int) -> NSError {
        let bridged = error as NSError
        var isChanged = false
        var info: [String: Any] = [:]
        for (key, value) in bridged.userInfo.prefix(Self.countLimit) {
            let shown = redacted(value, named: key, depth: depth)
            isChanged = isChanged || shown.isChanged
            info[key] = shown.value
        }
        let isSystem =
            type(of: error) == NSError.self || error is URLError || error is CocoaError || error is POSIXError
        if isSystem, !isChanged, bridged.userInfo.count <= Self.countLimit {
            return bridged
        }
        // A Swift error computes its texts; a copy must include them.
        if info[NSLocalizedDescriptionKey] == nil, let localized = error as? any LocalizedError,
            let text = localized.errorDescription
        {
            info[NSLocalizedDescriptionKey] = redacted(text)
        } else if info[NSLocalizedDescriptionKey] == nil, error is any FailureReasonConvertible {
            info[NSLocalizedDescriptionKey] = redacted(String(String(describing: error).unicodeScalars.prefix(4000)))
        }
        return NSError(domain: bridged.domain, code: bridged.code, userInfo: info)
    }

    private func redacted(_ value: Any, named name: String? = nil, depth: Int) -> (value: Any, isChanged: Bool) {
        // The system's own keys end in "Key", which says nothing about their values.
        if let name, !name.hasPrefix("NS"), redaction.isSensitive(name) {
            return (Redaction.placeholder, true)
        }
        guard depth < Self.depthLimit else {
            return ("…", true)
        }
        switch value {
        case let error as any Error:
            let shown = redacted(error, depth: depth + 1)
            return (shown, shown !== error as NSError)
        case let url as URL:
            let text = redaction.url(url.absoluteString)
            // The placeholder is not valid everywhere in a URL.
            return text == url.absoluteString ? (url, false) : (URL(string: text) as Any? ?? text, true)
        case let text as String:
            let shown = redacted(text)
            return (shown, shown != text)
        case let list as [Any]:
            let shown = list.prefix(Self.countLimit).map { redacted($0, depth: depth + 1) }
            return (shown.map(\.value), shown.contains { $0.isChanged } || list.count > Self.countLimit)
        case let members as [AnyHashable: Any]:
            var result: [AnyHashable: Any] = [:]
            var isChanged = members.count > Self.countLimit
            for (key, member) in members.prefix(Self.countLimit) {
                let shown = redacted(member, named: key.base as? String, depth: depth + 1)
                isChanged = isChanged || shown.isChanged
                result[key] = shown.value
            }
            return (result, isChanged)
        case let data as Data:
            // Some systems print the bytes. Resume data contains the request, cookies included.
            return (ByteCount.text(data.count), true)
        case is NSNumber, is Date:
            return (value, false)
        default:
            let text = String(describing: value)
            let shown = redacted(text)
            // Printing a dictionary shows the debug description of its values.
            let debugText = String(reflecting: value)
            return shown == text && redacted(debugText) == debugText ? (value, false) : (shown, true)
        }
    }

    private func redacted(_ text: String) -> String {
        let text = Excerpt.cut(text, to: Self.textLimit)
        // A URL alone is split into its items; in prose an item ends at the next space.
        let shown = text.utf8.contains(0x20) ? text : redaction.url(text)
        return redaction.body(shown, contentType: nil)
    }
}
