/// An element of a page.
///
/// It goes stale when the page replaces it.
public struct Element: Sendable {
    struct Reference: Decodable, Sendable {
        let id: String

        /// The key that the protocol marks an element with.
        private enum CodingKeys: String, CodingKey {
            case id = "element-6066-11e4-a52e-4f735466cecf"
        }
    }

    private let path: String
    private let driver: DriverConnection

    init(_ reference: Reference, driver: DriverConnection) {
        self.path = "/element/\(reference.id)"
        self.driver = driver
    }

    /// The element's text as it is shown.
    public var text: String {
        get async throws { try await driver.get("\(path)/text") }
    }

    /// Whether the element can be seen.
    public var isDisplayed: Bool {
        get async throws { try await driver.get("\(path)/displayed") }
    }

    /// Whether the check box is ticked, or the option chosen.
    public var isSelected: Bool {
        get async throws { try await driver.get("\(path)/selected") }
    }

    /// The value of an attribute; nil when the element does not have it.
    public func attribute(_ name: String) async throws -> String? {
        try await driver.get("\(path)/attribute/\(name)")
    }

    /// Scrolls to the element and clicks it.
    ///
    /// When that follows a link or submits a form, this returns after the next page is loaded.
    public func click() async throws {
        try await driver.post("\(path)/click")
    }

    /// Types into the element, after what it already holds.
    public func type(_ text: String) async throws {
        try await driver.post("\(path)/value", ["text": .string(text)])
    }

    /// Empties the element.
    public func clear() async throws {
        try await driver.post("\(path)/clear")
    }
}
