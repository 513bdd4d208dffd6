/// An element of a page.
///
/// An element becomes stale when the page replaces it.
public struct Element: Sendable {
    struct Reference: Decodable, Sendable {
        let id: String

        /// The protocol's key of an element's ID.
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

    /// The visible text of the element.
    public var text: String {
        get async throws { try await driver.get("\(path)/text") }
    }

    /// The name by which assistive technology announces the element; empty if it has none.
    public var accessibleName: String {
        get async throws { try await driver.get("\(path)/computedlabel") }
    }

    /// Whether the element is visible.
    public var isDisplayed: Bool {
        get async throws { try await driver.get("\(path)/displayed") }
    }

    /// Whether the checkbox is checked, or the option is selected.
    public var isSelected: Bool {
        get async throws { try await driver.get("\(path)/selected") }
    }

    /// Returns the value of an attribute, or `nil` if the element does not have the attribute.
    public func attribute(_ name: String) async throws -> String? {
        try await driver.get("\(path)/attribute/\(name)")
    }

    /// Scrolls to the element and clicks it.
    ///
    /// If the click follows a link or submits a form, this method returns
    /// after the next page is loaded.
    public func click() async throws {
        try await driver.post("\(path)/click")
    }

    /// Types `text` at the end of the element's content.
    public func type(_ text: String) async throws {
        try await driver.post("\(path)/value", ["text": .string(text)])
    }

    /// Clears the element's content.
    public func clear() async throws {
        try await driver.post("\(path)/clear")
    }
}
