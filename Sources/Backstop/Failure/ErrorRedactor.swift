internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Removes secrets from the keys, texts, URLs and other values of errors and their underlying errors.
struct ErrorRedactor {
    let redaction: Redaction
    /// How many scalars the whole error may still have, and how many keys and values: lists of lists multiply.
    private(set) var textLeft = 65_536
    private(set) var valuesLeft = 1000

    /// How deep errors and lists of them are followed; deeper ones are dropped.
    private static let depthLimit = 8
    /// How many elements of a list or a dictionary are kept.
    private static let countLimit = 100
    /// How many scalars of a text are kept.
    private static let textLimit = 10_000

    /// The error with the same domain and code, without secrets; a system error that has none is returned unchanged.
    func redacted(_ error: any Error) -> NSError {
        var run = self
        return run.redacted(error, depth: 0)
    }

    private mutating func redacted(_ error: any Error, depth: Int) -> NSError {
        let bridged = error as NSError
        // First, while there is room.
        let domain = redacted(bridged.domain)
        let (members, isChanged) = redacted(members: bridged.userInfo, depth: depth)
        let isSystem =
            type(of: error) == NSError.self || error is URLError || error is CocoaError || error is POSIXError
        if isSystem, !isChanged, domain == bridged.domain {
            return bridged
        }
        var info = members as? [String: Any] ?? [:]
        // A Swift error computes its texts; a copy must include them.
        if info[NSLocalizedDescriptionKey] == nil, let localized = error as? any LocalizedError,
            let text = localized.errorDescription
        {
            info[NSLocalizedDescriptionKey] = redacted(text)
        } else if info[NSLocalizedDescriptionKey] == nil, !isSystem, error is any FailureReasonConvertible {
            info[NSLocalizedDescriptionKey] = redacted(String(String(describing: error).unicodeScalars.prefix(4000)))
        }
        return NSError(domain: domain, code: bridged.code, userInfo: info)
    }

    private mutating func redacted(
        members: [AnyHashable: Any], depth: Int
    ) -> (value: [AnyHashable: Any], isChanged: Bool) {
        var result: [AnyHashable: Any] = [:]
        var isChanged = false
        // The description first, in case that there is not room for all.
        var others = members
        let description = others.removeValue(forKey: NSLocalizedDescriptionKey)
        let ordered = (description.map { [(NSLocalizedDescriptionKey, $0)] } ?? []) + others.prefix(Self.countLimit)
        for (key, member) in ordered.prefix(Self.countLimit) where hasRoom {
            let name = redacted(key.base, depth: depth)
            let shown = redacted(member, named: key.base as? String, depth: depth)
            isChanged = isChanged || name.isChanged || shown.isChanged
            if let name = name.value as? AnyHashable { result[name] = shown.value }
        }
        return (result, isChanged || result.count < members.count)
    }

    private var hasRoom: Bool { textLeft > 0 && valuesLeft > 0 }

    private mutating func redacted(
        _ value: Any, named name: String? = nil, depth: Int
    ) -> (value: Any, isChanged: Bool) {
        valuesLeft -= 1
        // The system's own keys end in "Key", which says nothing about their values.
        if let name, !name.hasPrefix("NS"), !name.hasPrefix("_kCF"), redaction.isSensitive(Excerpt.cut(name, to: 200)) {
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
            let text = redacted(url.absoluteString)
            // The placeholder is not valid everywhere in a URL.
            return text == url.absoluteString ? (url, false) : (URL(string: text) as Any? ?? text, true)
        case let text as String:
            let shown = redacted(text)
            return (shown, shown != text)
        case let list as [Any]:
            var result: [Any] = []
            var isChanged = false
            for element in list.prefix(Self.countLimit) where hasRoom {
                let shown = redacted(element, depth: depth + 1)
                isChanged = isChanged || shown.isChanged
                result.append(shown.value)
            }
            return (result, isChanged || result.count < list.count)
        case let members as [AnyHashable: Any]:
            return redacted(members: members, depth: depth + 1)
        case let data as Data:
            // Some systems print the bytes. Resume data contains the request, cookies included.
            return (ByteCount.text(data.count), true)
        case is NSNumber, is Date, is NSNull:
            return (value, false)
        case let members as NSDictionary:
            var swift: [AnyHashable: Any] = [:]
            for (key, member) in members { swift[(key as? AnyHashable) ?? AnyHashable("\(key)")] = member }
            return (redacted(members: swift, depth: depth + 1).value, true)
        case let response as HTTPURLResponse:
            return ("\(response.statusCode) \(redacted(response.url?.absoluteString ?? ""))", true)
        case let request as URLRequest:
            return ("\(request.httpMethod ?? "GET") \(redacted(request.url?.absoluteString ?? ""))", true)
        default:
            // Its members, such as the headers of a response or the value of a cookie, can be read and dumped, whatever
            // its description says; and that of an object may have them without the names that tell secrets.
            let text = type(of: value) is AnyClass ? TypeName.text(type(of: value)) : String(describing: value)
            return (redacted(text), true)
        }
    }

    private mutating func redacted(_ text: String) -> String {
        let text = Excerpt.cut(text, to: min(Self.textLimit, textLeft))
        textLeft -= text.unicodeScalars.count
        // A URL alone is split into its items; in prose an item ends at the next space.
        let shown = text.utf8.contains(0x20) ? text : redaction.url(text)
        return Excerpt.printable(redaction.body(shown, contentType: nil))
    }
}

extension SystemError {
    package func description(_ redaction: Redaction) -> String {
        String(describing: ErrorRedactor(redaction: redaction).redacted(self))
    }
}

extension NSError: SystemError {}
extension URLError: SystemError {}
extension CocoaError: SystemError {}
extension POSIXError: SystemError {}
