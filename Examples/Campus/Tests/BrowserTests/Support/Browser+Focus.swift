import WebDriver

extension Browser {
    /// The accessible name of the element with the focus; empty if no element has the focus.
    var focusedName: String {
        get async throws {
            do {
                return try await focusedElement.accessibleName
            } catch let error as WebDriverError where error.code == .staleElement {
                // The page has replaced the element meanwhile; the new one has the focus.
                return try await focusedElement.accessibleName
            }
        }
    }

    /// Returns whether the element with the focus is in an element that matches `css`.
    func hasFocus(in css: String) async throws -> Bool {
        try await executeScript("return document.activeElement.closest(arguments[0]) !== null", [.string(css)])
    }

    /// Presses Tab until the focused element has an accessible name that contains `name`.
    ///
    /// - Parameters:
    ///   - name: a part of the accessible name.
    ///   - isBackward: whether Shift is held.
    /// - Throws: an error with the names of the elements that Tab reaches instead.
    func tab(to name: String, backward isBackward: Bool = false) async throws {
        try await tab(isBackward: isBackward, to: "'\(name)'") { $0.contains(name) }
    }

    /// Presses Tab until the focused element is in an element that matches `css`.
    ///
    /// This is for an element whose name the test does not know, such as the first breadcrumb.
    func tab(into css: String, backward isBackward: Bool = false) async throws {
        try await tab(isBackward: isBackward, to: css) { _ in try await hasFocus(in: css) }
    }

    /// Presses Tab until the element with this name has the focus, and then presses `key`.
    func press(_ key: Key, on name: String) async throws {
        try await tab(to: name)
        try await press(key)
    }

    private func tab(
        isBackward: Bool,
        to target: String,
        until isReached: (String) async throws -> Bool
    ) async throws {
        var seen: [String] = []
        while seen.count < 60 {
            try await press(.tab, holding: isBackward ? .shift : nil)
            let name = try await focusedName
            if try await isReached(name) { return }
            seen.append(name)
        }
        throw NotReached(target: target, seen: seen)
    }
}

/// An error for an element that Tab does not reach.
private struct NotReached: Error, CustomStringConvertible {
    let target: String
    let seen: [String]

    var description: String { "Tab does not reach \(target), but only: \(Set(seen).sorted())" }
}
