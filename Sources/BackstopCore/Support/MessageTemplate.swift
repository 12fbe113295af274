/// The English texts for people.
///
/// Each title says in a few words what happened, each text in a sentence; the suggestion says what to do. None assigns
/// blame or uses jargon. A failure's code determines its texts.
package struct MessageTemplate: Sendable {
    /// The prefix of the translation keys: `offline` of `offline.title`.
    package let key: String
    /// What happened, in a few words.
    package let title: String
    /// What happened, in a sentence.
    package let text: String
    /// What to do; nil when there is nothing to do.
    package let suggestion: String?
    /// Whether the suggestion is to wait, so that the server's wait replaces it.
    package var isAboutWaiting: Bool {
        suggestion?.hasPrefix("Please try again") == true
    }

    init(_ key: String, _ title: String, _ text: String, _ suggestion: String?) {
        self.key = key
        self.title = title
        self.text = text
        self.suggestion = suggestion
    }

    /// Replaces the suggestion when an order or a payment may have gone through.
    package static let mayHaveWorked = "Please check whether it worked before you try again."

    /// All texts.
    package static let all: [MessageTemplate] = [
        offline, unreachable, lost, security, notAllowed, restricted, transport, timeout, badInput, signedOut, signIn,
        payment, proxy, forbidden, notFound, gone, conflict, changed, tooBig, legal, tooMany, unavailable, serverError,
        status,
        service, decoding, page,
        incomplete, request, rejected, cacheMiss, notSaved, noSpace, nameTaken, damaged, other, cancelled,
    ]

    package static let offline = Self(
        "offline", "You are offline", "There is no connection to the internet.",
        "Please check your connection and try again.")
    package static let unreachable = Self(
        "unreachable", "Connection failed", "The service could not be reached.",
        "Please check your connection and try again.")
    package static let lost = Self(
        "lost", "Connection lost", "The connection was interrupted.", "Please try again.")
    package static let security = Self(
        "security", "No secure connection", "A secure connection to the service could not be made.",
        "Please check the date and time of your device, or use another network.")
    package static let notAllowed = Self(
        "notAllowed", "Connection not allowed", "Your device does not allow this connection.",
        "Please check the settings of your device and of its network.")
    package static let restricted = Self(
        "restricted", "Not on this network", "This is not loaded over the network that you are using.",
        "Please connect to Wi-Fi, or turn off Low Data Mode.")
    package static let transport = Self(
        "transport", "Something went wrong", "This could not be completed.",
        "Please try again later.")
    package static let timeout = Self(
        "timeout", "This took too long", "This could not be completed in time.",
        "Please try again in a moment.")
    package static let badInput = Self(
        "status.400", "Not accepted", "Some of the information was not accepted.",
        "Please check what you entered and try again.")
    package static let signedOut = Self(
        "status.401", "Sign-in needed", "Your session has expired.", "Please sign in again.")
    package static let signIn = Self(
        "status.401.signIn", "Sign-in needed", "You are not signed in.",
        "Please sign in, or check your sign-in details.")
    package static let payment = Self(
        "status.402", "Payment needed", "This has to be paid for first.", nil)
    package static let proxy = Self(
        "status.407", "Sign-in needed", "Your network asks you to sign in.",
        "Please sign in to the network, or use another one.")
    package static let forbidden = Self(
        "status.403", "No access", "You do not have access to this.",
        "Please check that you are signed in with the right account.")
    package static let notFound = Self(
        "status.404", "Not found", "This item could not be found.", "Please go back and refresh.")
    package static let gone = Self(
        "status.410", "No longer available", "This item no longer exists.", "Please go back and refresh.")
    package static let conflict = Self(
        "status.409", "Already taken or changed", "This is already taken, or has been changed in the meantime.",
        "Please refresh and check before you try again.")
    package static let changed = Self(
        "status.412", "Item changed", "This item has been changed in the meantime.",
        "Please refresh and try again.")
    package static let tooBig = Self(
        "status.413", "Too large", "What you are sending is too large.", "Please choose something smaller.")
    package static let legal = Self(
        "status.451", "Not available", "This is not available for legal reasons.", nil)
    package static let tooMany = Self(
        "status.429", "Limit reached", "The limit for this has been reached.", "Please try again later.")
    package static let unavailable = Self(
        "status.503", "Not available right now", "The service is not available at the moment.",
        "Please try again in a moment.")
    package static let serverError = Self(
        "status.500", "Something went wrong", "The service has a problem.", "Please try again later.")
    package static let status = Self(
        "status", "Something went wrong", "The service could not do this.", "Please try again later.")
    package static let service = Self(
        "service", "Something went wrong", "The service could not do this.", "Please try again later.")
    package static let decoding = Self(
        "decoding", "Unexpected answer", "The app could not read the answer of the service.",
        "Please check for an update of the app.")
    package static let page = Self(
        "decoding.html", "Unexpected answer", "The app received a web page that it cannot use.",
        "Please check whether your network asks you to sign in.")
    package static let incomplete = Self(
        "decoding.incomplete", "Incomplete answer", "Not everything was received.", "Please try again in a moment.")
    package static let request = Self(
        "request", "Something went wrong", "There is a problem in the app.",
        "Please check for an update of the app.")
    package static let rejected = Self(
        "rejected", "Not possible right now", "This cannot be done at the moment.", "Please try again in a moment.")
    package static let cacheMiss = Self(
        "rejected.cacheMiss", "Not available offline", "This has not been saved on your device.",
        "Please try again when you are online.")
    package static let notSaved = Self("storage", "Not saved", "The file could not be saved.", nil)
    package static let noSpace = Self(
        "storage.full", "Not saved", "There is not enough space for the file.",
        "Please free some space and try again.")
    package static let nameTaken = Self(
        "storage.exists", "Not saved", "A file with this name already exists.", nil)
    package static let damaged = Self(
        "storage.checksum", "Not saved", "The file arrived damaged.", "Please try again.")
    package static let other = Self(
        "other", "Something went wrong", "There was an unexpected problem.", "Please try again.")
    package static let cancelled = Self("cancelled", "Cancelled", "This was cancelled.", nil)
}
