/// Decides what reports and logs must not show, and removes it from headers, URLs and bodies.
///
/// ``standard`` is the default everywhere. Add the sensitive words of an app, or switch it off with ``off`` for output
/// that only you can read. It hides too much rather than too little: anything that looks like a secret is one. Text may
/// be cut anywhere; the remaining part of a secret is hidden too.
///
/// ```swift
/// let redaction = Redaction.standard.adding("iban", "taxNumber")
/// redaction.header("Authorization", "Bearer 7f3a")  // <redacted>
/// redaction.url("https://shop.example/list?page=2&token=7f3a")  // https://shop.example/list?page=2&token=<redacted>
/// redaction.body(#"{"user":"ann","password":"hunter2"}"#, contentType: "application/json")
/// // {"user":"ann","password":"<redacted>"}
/// ```
///
/// Everything takes time linear in the text, and nothing recurses, because a server chooses the text.
public struct Redaction: Sendable {
    /// Shown in place of a secret.
    public static let placeholder = "<redacted>"

    /// Hides known secrets; the default everywhere.
    public static let standard = Redaction(isOn: true, names: SensitiveNames())

    /// Shows everything; use it only on purpose.
    ///
    /// It is for a debugger or a test, never for a log that leaves the device.
    public static let off = Redaction(isOn: false, names: SensitiveNames())

    let isOn: Bool
    let names: SensitiveNames
    /// Whether nothing of a body is shown, because what is secret in it need not have a known name.
    package private(set) var hidesBodies = false

    /// Makes a redaction that also hides values whose names contain one of these words.
    ///
    /// ```swift
    /// let redaction = Redaction.standard.adding("iban", "taxNumber")
    /// redaction.isSensitive("customer_iban")  // true
    /// redaction.isSensitive("tax-number")  // true
    /// ```
    ///
    /// - Parameter words: Words, or names of several words in any style (`taxNumber`, `tax_number`). Case and
    ///   separators do not matter. A word without letters is ignored. ``off`` stays off.
    public func adding(_ words: String...) -> Redaction {
        Redaction(isOn: isOn, names: names.adding(words), hidesBodies: hidesBodies)
    }

    /// The same for a token refresh: what is sent and received are tokens, under whatever names. ``off`` stays off.
    var hidingBodies: Redaction {
        Redaction(isOn: isOn, names: names.adding(["access", "refresh"]), hidesBodies: isOn)
    }

    /// Whether the value of this name must be hidden: a header field, a query item, a key in a body.
    ///
    /// A name is split into words at every non-letter and at the humps of camel case. Some words count anywhere, even
    /// inside another (`token`, `secret`, `passw`, `pwd`, `credential`, `cookie`, `signature`); others only as a whole
    /// word (`key`, `auth`, `session`, `sig`, `otp`, `pin`), so that `apiKey` and `x-api-key` are hidden, `monkey` and
    /// `keyboard` are not. Common names written as one word are known: `apikey`, `accesstoken`, `sessionid`.
    ///
    /// A `code` is secret only where it is exchanged for a token (RFC 6749, 4.1): in a query or form, next to a
    /// `grant_type`, and after words such as `device` and `verification`. Elsewhere it usually says what went wrong.
    ///
    /// `Idempotency-Key` is hidden too: with the key, anyone can read the stored response from some services.
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

    /// Returns a header field's value, fit to be shown.
    ///
    /// A sensitive field is hidden entirely. Any other, such as `Location`, is searched for URLs and tokens.
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

    /// Returns a URL, fit to be shown: without user info, and without the values of sensitive query and fragment items.
    ///
    /// It works on any text, so it never fails, even if the text is not a URL.
    ///
    /// ```swift
    /// Redaction.standard.url("https://ann:hunter2@shop.example/cb#access_token=7f3a&state=1")
    /// // https://<redacted>@shop.example/cb#access_token=<redacted>&state=1
    /// ```
    ///
    /// - Parameter text: The URL, absolute or relative, truncated or whole.
    public func url(_ text: String) -> String {
        guard isOn else { return text }
        return self.text(FormRedactor(names: names).url(text))
    }

    /// Returns a body, or the beginning of one, fit to be shown.
    ///
    /// * JSON, whatever the content type, whether whole, truncated or malformed: the values of sensitive keys,
    ///   including objects and arrays, and including keys with escapes. `true`, `false` and `null` are kept.
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
    ///   - contentType: The value of `Content-Type`; nil when there is none, so that the text alone decides.
    public func body(_ text: String, contentType: String?) -> String {
        guard isOn else { return text }
        let type = contentType?.lowercased() ?? ""
        var text = text
        var names = names
        // In a token exchange a code is a secret; elsewhere it usually says what went wrong.
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

    /// The redaction for texts created during a call that do not know their call: the call's own redaction, or else the
    /// standard one.
    @TaskLocal private static var ofCall: Redaction?

    /// The redaction for the texts of errors: never less than ``standard``.
    package static var current: Redaction { ofCall ?? .standard }

    /// The redaction itself, or the standard one if it is off: for texts that anyone may print.
    package var forOthers: Redaction { isOn ? self : .standard }

    /// Runs an operation whose errors use this redaction in their texts, or ``standard`` instead of ``off``, because
    /// anyone may print an error.
    package func whileInForce<Result>(_ work: () throws -> Result) rethrows -> Result {
        guard isOn, names.hasAdded || hidesBodies else { return try work() }
        return try Redaction.$ofCall.withValue(self, operation: work)
    }

    /// Returns JSON, or a part of it, without the values of sensitive keys; the text before the part is read for its
    /// keys.
    func json(_ bytes: UnsafeRawBufferPointer, within part: Range<Int>) -> [UInt8] {
        isOn ? JSONRedactor(names: names).redacted(bytes, within: part) : Array(bytes[part])
    }

    /// Returns free text, fit to be shown: without credentials, JSON Web Tokens, and values after sensitive names.
    package func text(_ text: String) -> String {
        guard isOn else { return text }
        return String(decoding: TextRedactor(names: names).redacted(Array(text.utf8)), as: UTF8.self)
    }
}
