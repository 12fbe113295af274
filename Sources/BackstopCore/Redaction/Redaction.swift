/// Decides what reports and logs must not show, and removes it from headers, URLs and bodies.
///
/// ``standard`` is the default everywhere. Add and remove words for an app, or switch it off with ``off`` for output
/// that only you can read.
///
/// 1. **Names** decide in headers, query items, JSON members, form fields and the elements of XML.
/// 2. The **values** so found in what a call sent and received are hidden wherever else they turn up in a text of that
///    call, in any encoding; not those with fewer than 4 characters, nor, under words that often mean something else
///    (`key`, `session`), those that do not look like secrets.
/// 3. What is a secret by its **shape** is hidden anywhere: `Bearer` and `Basic` credentials, JSON Web Tokens, keys with
///    a known prefix (`sk_live_`, `ghp_`, `AKIA`, ...), private keys, user info in URLs.
/// 4. An app adds words with ``adding(_:)`` and removes them with ``removing(_:)``.
///
/// ```swift
/// let redaction = Redaction.standard.adding("iban", "taxNumber").removing("ticket")
/// redaction.header("Authorization", "Bearer 7f3a")  // <redacted>
/// redaction.url("https://shop.example/list?page=2&token=7f3a")  // https://shop.example/list?page=2&token=<redacted>
/// redaction.body(#"{"ticket":"T-1","password":"hunter2"}"#, contentType: "application/json")
/// // {"ticket":"T-1","password":"<redacted>"}
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
    private(set) var names: SensitiveNames
    /// Whether nothing of a body is shown, because what is secret in it need not have a known name.
    package private(set) var hidesBodies = false
    /// Knows the secrets of the call that the texts belong to; nil for texts of no call.
    private var source: (any SecretSource)?

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
        changed(self) { $0.names = names.adding(words) }
    }

    /// Makes a redaction that does not take these words for signs of a secret.
    ///
    /// Use it where a word means something else in your service: conference sessions, tickets of a cinema.
    ///
    /// ```swift
    /// let redaction = Redaction.standard.removing("session", "promoToken")
    /// redaction.isSensitive("sessionTitle")  // false
    /// redaction.isSensitive("promo_token")  // false
    /// redaction.isSensitive("session_token")  // true, because of the other word
    /// ```
    ///
    /// What identifies a caller still does: requests to other hosts and keys of caches follow ``standard`` as well.
    ///
    /// - Parameter words: Words, which no longer count in any name, or whole names in any style.
    public func removing(_ words: String...) -> Redaction {
        changed(self) { $0.names = names.removing(words) }
    }

    /// The same for a token refresh: what is sent and received are tokens, under whatever names. ``off`` stays off.
    var hidingBodies: Redaction {
        changed(adding("access", "refresh")) { $0.hidesBodies = isOn }
    }

    /// The same for texts of a call, in which its secrets are hidden wherever they are. ``off`` stays off.
    func knowing(_ source: any SecretSource) -> Redaction {
        changed(self) { $0.source = source }
    }

    /// Whether the value of this name must be hidden: a header field, a query item, a key in a body.
    ///
    /// A name is split into words at every non-letter and at the humps of camel case. Some words count anywhere, even
    /// inside another (`token`, `secret`, `passw`, `pwd`, `credential`, `cookie`, `signature`); others only as a whole
    /// word (`key`, `auth`, `session`, `sig`, `otp`, `pin`), so that `apiKey` and `x-api-key` are hidden, `monkey` and
    /// `keyboard` are not. A name that ends in a word that only describes (`token_type`, `keySize`) is not sensitive.
    ///
    /// A `code` is secret only where it is exchanged for a token (RFC 6749, 4.1): in a query or form, next to a
    /// `grant_type`, and after words such as `device` and `reset`. Elsewhere it usually says what went wrong.
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
        isOn && names.reach(of: Array(name.utf8)) != .nothing
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
        isSensitive(name) ? Redaction.placeholder : shown(value, Redaction.format(ofHeader: name))
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
        shown(text, .url)
    }

    /// Returns a body, or the beginning of one, fit to be shown.
    ///
    /// JSON is recognized anywhere, whatever the content type, whether whole, truncated or inside a string; forms and
    /// `multipart/form-data` by the content type or their first signs.
    ///
    /// ```swift
    /// Redaction.standard.body("user=ann&pin=1234", contentType: "application/x-www-form-urlencoded")
    /// // user=ann&pin=<redacted>
    /// ```
    ///
    /// - Parameters:
    ///   - text: The body as text.
    ///   - contentType: The value of `Content-Type`; nil when there is none, so that the text alone decides.
    @inline(never)
    public func body(_ text: String, contentType: String?) -> String {
        guard isOn else { return text }
        var copy = text
        return shown(text, copy.withUTF8 { Redaction.format(of: UnsafeRawBufferPointer($0), contentType) })
    }

    /// Returns any text, fit to be shown: without JSON members, query items and XML elements with sensitive names, and
    /// without what is a secret by its shape.
    ///
    /// ```swift
    /// Redaction.standard.text("POST /login with Basic YW5uOmh1bnRlcjI= failed")  // POST /login with Basic <redacted> failed
    /// ```
    ///
    /// - Parameter text: A message, a line of a log, an answer of unknown kind.
    public func text(_ text: String) -> String {
        shown(text, .text)
    }

    /// The redaction for texts created during a call that do not know their call: the call's own redaction, or else the
    /// standard one.
    @TaskLocal private static var ofCall: Redaction?

    /// The redaction for the texts of errors: never less than ``standard``.
    package static var current: Redaction { ofCall ?? .standard }

    /// The redaction itself, or the standard one if it is off: for texts that anyone may print.
    package var forOthers: Redaction {
        changed(isOn ? self : .standard) { $0.source = source }
    }

    /// The same without the secrets of a call, for what every call does: they take time to find.
    package var ofNames: Redaction {
        changed(self) { $0.source = nil }
    }

    /// Runs an operation whose errors use this redaction in their texts, or ``standard`` instead of ``off``, because
    /// anyone may print an error. Most calls do this, and most do not fail, so it is free with the standard words.
    package func whileInForce<Result>(_ work: () throws -> Result) rethrows -> Result {
        guard isOn, names.isChanged || hidesBodies else { return try work() }
        return try Redaction.$ofCall.withValue(self, operation: work)
    }

    /// The same for an operation that explains a failure: the call's secrets are hidden in any case.
    package func whileExplaining<Result>(_ work: () throws -> Result) rethrows -> Result {
        guard isOn || source != nil else { return try work() }
        return try Redaction.$ofCall.withValue(forOthers, operation: work)
    }

    /// Returns a part of a body; the text before the part is read for its names.
    func json(_ bytes: UnsafeRawBufferPointer, within part: Range<Int>) -> [UInt8] {
        guard isOn else { return Array(bytes[part]) }
        var scan = SecretScan(bytes, names, upTo: part.upperBound)
        scan.run(.text)
        return SecretScan.hiding(scan.secrets, in: bytes, part)
    }

    /// A finished text without the call's secrets; names and shapes were looked for when its parts were made.
    package func withoutValues(_ text: String) -> String { shown(text, nil) }

    private func shown(_ text: String, _ format: SecretScan.Format?) -> String {
        guard isOn else { return text }
        var copy = text
        return copy.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            var scan = SecretScan(bytes, names)
            if let format { scan.run(format) }
            let secrets = scan.secrets + (source?.values(named: names).secrets(in: bytes) ?? [])
            guard !secrets.isEmpty else { return text }
            return String(decoding: SecretScan.hiding(secrets, in: bytes, 0..<bytes.count), as: UTF8.self)
        }
    }

    /// How a header's value is read.
    static func format(ofHeader name: String) -> SecretScan.Format {
        ["location", "content-location", "referer"].contains(name.lowercased()) ? .url : .text
    }

    /// How a body is read.
    static func format(of body: UnsafeRawBufferPointer, _ contentType: String?) -> SecretScan.Format {
        let type = contentType?.lowercased() ?? ""
        if type.contains("multipart/") || type.isEmpty && body.starts(with: [0x2D, 0x2D]) { return .multipart }
        if type.prefix(while: { $0 != ";" && $0 != " " }) == "application/graphql" { return .document }
        return type.contains("x-www-form-urlencoded") || type.isEmpty && SecretScan.isForm(body) ? .form : .text
    }
}

extension Redaction: DescribedInDumps {
    /// Whether it hides anything; nothing of the call that it belongs to.
    public var description: String { isOn ? "redaction" : "no redaction" }
}
