/// A key without a character, as the WebDriver protocol names it.
public struct Key: Hashable, Sendable {
    let code: String

    /// The Tab key.
    public static let tab = Key(code: "\u{E004}")
    /// The Enter key.
    public static let enter = Key(code: "\u{E007}")
    /// The Shift key.
    public static let shift = Key(code: "\u{E008}")
    /// The Escape key.
    public static let escape = Key(code: "\u{E00C}")
    /// The space bar.
    public static let space = Key(code: " ")
}

extension Browser {
    /// Presses and releases a key; the element with the focus receives it.
    ///
    /// - Parameters:
    ///   - key: the key to press.
    ///   - modifier: the key to hold meanwhile, such as ``Key/shift``.
    /// - Throws: ``WebDriverError`` if the browser has no page.
    public func press(_ key: Key, holding modifier: Key? = nil) async throws {
        let keys = [modifier, key].compactMap { $0?.code }
        try await perform(keys.map(Self.down) + keys.reversed().map(Self.up))
    }

    /// Presses and releases the key of each character; the element with the focus receives them.
    public func type(_ text: String) async throws {
        var actions: [JSONValue] = []
        for character in text { actions += [Self.down(String(character)), Self.up(String(character))] }
        try await perform(actions)
    }

    private func perform(_ actions: [JSONValue]) async throws {
        let source: JSONValue = ["type": "key", "id": "keyboard", "actions": .array(actions)]
        try await driver.post("/actions", ["actions": [source]])
    }

    private static func down(_ key: String) -> JSONValue { ["type": "keyDown", "value": .string(key)] }

    private static func up(_ key: String) -> JSONValue { ["type": "keyUp", "value": .string(key)] }
}
