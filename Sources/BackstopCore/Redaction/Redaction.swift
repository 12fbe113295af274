/// Decides what must not be shown in reports and logs, and takes it out of headers, URLs and bodies.
///
/// ``standard`` is the default everywhere. Extend it with the sensitive words of an app, or switch it
/// off with ``off`` for output that only you can read. It errs on the side of hiding too much: what looks like a secret
/// is one. Text may be cut anywhere; the part of a secret that is left is hidden as well.
///
/// ```swift
/// let redaction = Redaction.standard.adding("iban", "taxNumber")
/// redaction.header("Authorization", "Bearer 7f3a")  // <redacted>
/// redaction.url("https://shop.example/list?page=2&token=7f3a")  // https://shop.example/list?page=2&token=<redacted>
/// redaction.body(#"{"user":"ann","password":"hunter2"}"#, contentType: "application/json")
/// // {"user":"ann","password":"<redacted>"}
/// ```
///
/// Everything costs time linear in the text, and nothing recurses, since a server chooses the text.
public struct Redaction: Sendable {
    /// What is shown in place of a secret.
    public static let placeholder = "<redacted>"

    /// Hides what is known to be secret; in force everywhere by default.
    public static let standard = Redaction(isOn: true, names: SensitiveNames())

    /// Shows everything, so that a full text needs an explicit choice.
    ///
    /// Use it for a debugger or a test, never for a log that leaves the device.
    public static let off = Redaction(isOn: false, names: SensitiveNames())

    let isOn: Bool
    let names: SensitiveNames

    /// Makes a redaction that hides more: also the values whose names have one of these words.
    ///
    /// ```swift
    /// let redaction = Redaction.standard.adding("iban", "taxNumber")
    /// redaction.isSensitive("customer_iban")  // true
    /// redaction.isSensitive("tax-number")  // true
    /// ```
    ///
    /// - Parameter words: Words, or names of several words in any spelling (`taxNumber`, `tax_number`). Case and
    ///   separators do not matter. A word without letters is ignored. ``off`` stays off.
    public func adding(_ words: String...) -> Redaction {
        Redaction(isOn: isOn, names: names.adding(words))
    }

    /// Says whether the value of this name must be hidden: a header field, a query item, a key of a body.
    ///
    /// A name is split into words at everything that is no letter, and at the humps of camel case. Some words count
    /// wherever they stand, even inside of another (`token`, `secret`, `passw`, `pwd`, `credential`, `cookie`,
    /// `signature`); others only as a whole word (`key`, `auth`, `session`, `sig`, `otp`, `pin`), so that `apiKey` and
    /// `x-api-key` are hidden, `monkey` and `keyboard` are not. Names written together are known when they are common:
    /// `apikey`, `accesstoken`, `sessionid`.
    ///
    /// A `code` is one only where it is handed over for a token (RFC 6749, 4.1): as an item of a query or a form, next
    /// to a `grant_type`, and behind words such as `device` and `verification`. Anywhere else it mostly says what went
    /// wrong.
    ///
    /// `Idempotency-Key` is hidden too: whoever knows the key can read the stored answer from some services.
    ///
    /// ```swift
    /// Redaction.standard.isSensitive("Set-Cookie")  // true
    /// Redaction.standard.isSensitive("keyboardLayout")  // false
    /// Redaction.off.isSensitive("password")  // false
    /// ```
    ///
    /// - Parameter name: The name, in upper or lower case, with escapes and percent-encoding already resolved.
    public func isSensitive(_ name: some StringProtocol) -> Bool {
        isOn && names.match(name.utf8)
    }

    /// Gives a header field's value as it may be shown.
    ///
    /// A sensitive field is hidden whole. In any other one, such as `Location`, URLs and tokens are looked for.
    ///
    /// ```swift
    /// Redaction.standard.header("Accept", "application/json")  // application/json
    /// Redaction.standard.header("Set-Cookie", "id=7f3a; Path=/")  // <redacted>
    /// ```
    ///
    /// - Parameters:
    ///   - name: The field name; case does not matter.
    ///   - value: The field value.
    public func header(_ name: String, _ value: String) -> String {
        guard isOn else { return value }
        if isSensitive(name) { return Redaction.placeholder }
        let isAddress = ["location", "content-location", "referer"].contains(name.lowercased())
        return isAddress ? url(value) : text(value)
    }

    /// Gives a URL as it may be shown: without user info, and without the values of sensitive query and fragment items.
    ///
    /// It works on the text alone, so it never fails, whether or not the text is a URL.
    ///
    /// ```swift
    /// Redaction.standard.url("https://ann:hunter2@shop.example/cb#access_token=7f3a&state=1")
    /// // https://<redacted>@shop.example/cb#access_token=<redacted>&state=1
    /// ```
    ///
    /// - Parameter text: The URL, absolute or relative, cut or whole.
    public func url(_ text: String) -> String {
        guard isOn else { return text }
        return self.text(FormRedactor(names: names).url(text))
    }

    /// Gives a body, or the beginning of one, as it may be shown.
    ///
    /// * JSON, whatever the content type says, whole, cut or malformed: the values of sensitive keys, also of objects
    ///   and arrays; keys with escapes are read. `true`, `false` and `null` stay.
    /// * `application/x-www-form-urlencoded`, `multipart/form-data` and HTML forms: the values of sensitive fields.
    /// * Any text: `Bearer` and `Basic` credentials, JSON Web Tokens, URLs, and `name=value` or `name: value`.
    ///
    /// ```swift
    /// Redaction.standard.body("user=ann&pin=1234", contentType: "application/x-www-form-urlencoded")
    /// // user=ann&pin=<redacted>
    /// ```
    ///
    /// - Parameters:
    ///   - text: The body as text.
    ///   - contentType: The value of `Content-Type`; nil when there is none, and then the text alone decides.
    public func body(_ text: String, contentType: String?) -> String {
        guard isOn else { return text }
        let type = contentType?.lowercased() ?? ""
        var text = text
        var names = names
        // In what is exchanged for a token a code is a secret; anywhere else it mostly says what went wrong.
        if SensitiveNames.speaksOfAuthorization(text) { names = names.adding(["code"]) }
        if type.contains("multipart/") || (text.hasPrefix("--") && text.contains("form-data")) {
            text = MultipartRedactor(names: names).redacted(text)
        } else if type.contains("x-www-form-urlencoded") || (type.isEmpty && FormRedactor.looksLikeForm(text)) {
            text = FormRedactor(names: names).items(text)
        }
        var bytes = Array(text.utf8)
        if bytes.contains(JSONBytes.quote) {
            bytes = bytes.withUnsafeBytes { JSONRedactor(names: names).redacted($0) }
        }
        return String(decoding: TextRedactor(names: names).redacted(bytes), as: UTF8.self)
    }

    /// What hides secrets in texts that are made while a call runs and cannot be told whose they are: the call's own
    /// redaction, or else the standard one.
    @TaskLocal private static var ofCall: Redaction?

    /// What is in force for texts that errors make of themselves: never less than ``standard``.
    package static var current: Redaction { ofCall ?? .standard }

    /// The redaction itself, or the standard one where it is switched off: for texts that anybody may print.
    package var forOthers: Redaction { isOn ? self : .standard }

    /// Runs work whose errors make texts with this redaction; with ``off`` they are made with ``standard``, since an
    /// error may be printed by anybody.
    package func whileInForce<Result>(_ work: () throws -> Result) rethrows -> Result {
        guard isOn, names.hasAdded else { return try work() }
        return try Redaction.$ofCall.withValue(self, operation: work)
    }

    /// Gives JSON, or a part of it, without the values of sensitive keys; what is before the part is read for its keys.
    func json(_ bytes: UnsafeRawBufferPointer, within part: Range<Int>) -> [UInt8] {
        isOn ? JSONRedactor(names: names).redacted(bytes, within: part) : Array(bytes[part])
    }

    /// Gives free text as it may be shown: without credentials, JSON Web Tokens, and values behind sensitive names.
    package func text(_ text: String) -> String {
        guard isOn else { return text }
        return String(decoding: TextRedactor(names: names).redacted(Array(text.utf8)), as: UTF8.self)
    }
}
