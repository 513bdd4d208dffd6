/// A key without a character, as the WebDriver protocol names it.
public struct Key: Hashable, Sendable {
    let code: String

    /// The Tab key.
    public static let tab = Key(code: "\u{E004}")
    /// The Enter key.
    public static let enter = Key(code: "\u{E007}")
    /// The Escape key.
    public static let escape = Key(code: "\u{E00C}")
    /// The space bar.
    public static let space = Key(code: " ")
}

extension Browser {
    /// Presses and releases a key; the element with the focus receives it.
    public func press(_ key: Key) async throws {
        let down: JSONValue = ["type": "keyDown", "value": .string(key.code)]
        let up: JSONValue = ["type": "keyUp", "value": .string(key.code)]
        let source: JSONValue = ["type": "key", "id": "keyboard", "actions": [down, up]]
        try await driver.post("/actions", ["actions": [source]])
    }
}
