extension Browser {
    private struct Sighting: Decodable {
        let element: Element.Reference?
        let isTimeout: Bool
        let page: String?
    }

    /// Waits until an element that matches `css` shows `text`.
    ///
    /// The page itself watches for changes, so this method returns as soon as a change arrives,
    /// without polling. If the browser leaves the page meanwhile, the next page is watched.
    ///
    /// - Returns: the first such element.
    /// - Throws: ``WebDriverError`` with the code ``WebDriverError/Code/timeout`` and with the
    ///   page's text in its message.
    @discardableResult
    public func waitFor(_ css: String, text: String? = nil) async throws -> Element {
        guard let reference = try await wait(for: css, text: text, isPresent: true) else {
            throw WebDriverError(code: .invalidAnswer, message: "The browser found '\(css)', but returned no element.")
        }
        return Element(reference, driver: driver)
    }

    /// Waits until no element that matches `css` shows `text`.
    ///
    /// - Throws: ``WebDriverError`` with the code ``WebDriverError/Code/timeout`` and with the
    ///   page's text in its message.
    public func waitForAbsence(of css: String, text: String? = nil) async throws {
        _ = try await wait(for: css, text: text, isPresent: false)
    }

    /// Waits for an element as ``waitFor(_:text:)`` does, and clicks the element.
    ///
    /// If the page replaces the element meanwhile, this method clicks the new element.
    public func click(_ css: String, text: String? = nil) async throws {
        try await onLiveElement(css, text: text) { try await $0.click() }
    }

    /// Waits for an element as ``waitFor(_:text:)`` does, and types into the element.
    ///
    /// If the page replaces the element meanwhile, this method types into the new element.
    public func type(_ input: String, into css: String) async throws {
        try await onLiveElement(css, text: nil) { try await $0.type(input) }
    }

    /// Performs an action on an element, and finds the element again if the page has replaced it.
    private func onLiveElement(
        _ css: String,
        text: String?,
        perform action: (Element) async throws -> Void
    ) async throws {
        let deadline = ContinuousClock.now + timeout
        while true {
            do {
                return try await action(try await waitFor(css, text: text))
            } catch let error as WebDriverError where error.code == .staleElement && ContinuousClock.now < deadline {
                continue
            }
        }
    }

    private func wait(for css: String, text: String?, isPresent: Bool) async throws -> Element.Reference? {
        let deadline = ContinuousClock.now + timeout
        while true {
            let remaining = max(.zero, deadline - ContinuousClock.now)
            let arguments: [JSONValue] = [
                .string(css), text.map(JSONValue.string) ?? .null, .bool(isPresent),
                .number(remaining / .milliseconds(1)),
            ]
            do {
                let sighting: Sighting = try await driver.post(
                    "/execute/async",
                    ["script": .string(Self.watch), "args": .array(arguments)]
                )
                guard sighting.isTimeout else { return sighting.element }
                throw timeoutError(css: css, text: text, isPresent: isPresent, page: sighting.page ?? "")
            } catch let error as WebDriverError where error.isPageLeft && ContinuousClock.now < deadline {
                continue
            }
        }
    }

    private func timeoutError(css: String, text: String?, isPresent: Bool, page: String) -> WebDriverError {
        let subject = "'\(css)'" + (text.map { " with the text '\($0)'" } ?? "")
        return WebDriverError(
            code: .timeout,
            message: "\(subject) did not \(isPresent ? "appear" : "go away") within \(timeout). The page:\n\(page)"
        )
    }

    private static let watch = """
        const [css, text, isPresent, milliseconds, done] = arguments;
        const shows = element => element.checkVisibility() && element.innerText.includes(text);
        const sight = () => [...document.querySelectorAll(css)].find(e => text === null || shows(e)) ?? null;
        const finish = (element, isTimeout) => {
            observer.disconnect();
            clearTimeout(timer);
            const page = isTimeout ? `${document.URL}\\n${document.title}\\n${document.body?.innerText ?? ""}` : null;
            done({element, isTimeout, page});
        };
        const check = () => {
            const element = sight();
            if ((element !== null) === isPresent) finish(element, false);
        };
        const observer = new MutationObserver(check);
        observer.observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
        const timer = setTimeout(() => finish(null, true), milliseconds);
        check();
        """
}

extension WebDriverError {
    /// Whether a waiting script was ended because the browser left its page.
    ///
    /// chromedriver reports this with either of two codes, depending on the script's progress.
    fileprivate var isPageLeft: Bool {
        code == .scriptTimeout || code == .abortedByNavigation
    }
}
