/// The key of a page: a secret of one load of one page in one browser.
///
/// The cookie and the window of a page may be known to somebody who has planted them in the user's
/// browser. Its key is not, because the page makes it and sends it only with its own requests. So
/// when an event of the page renews the session, the key tells the page from all others.
///
/// A page without the script has no key. For its event the host makes one, which is only in the
/// response to this event.
enum PageKey {
    /// The key of the page whose event the current task handles, also in tasks that it has started.
    @TaskLocal static var current: Secret?

    /// Reads a key from a request; `nil` if it has none that could not be guessed.
    static func read(_ text: String?) -> Secret? {
        guard let text, text.utf8.count == 32, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        return Secret(digits: text)
    }
}
