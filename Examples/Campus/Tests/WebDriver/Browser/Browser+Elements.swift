extension Browser {
    /// Returns the first element that currently matches `css`.
    ///
    /// - Throws: ``WebDriverError`` with the code ``WebDriverError/Code/noSuchElement`` if no
    ///   element matches.
    public func find(_ css: String) async throws -> Element {
        let reference: Element.Reference = try await driver.post("/element", Self.selector(css))
        return Element(reference, driver: driver)
    }

    /// Returns the elements that currently match `css`, in the order of the page.
    public func findAll(_ css: String) async throws -> [Element] {
        let references: [Element.Reference] = try await driver.post("/elements", Self.selector(css))
        return references.map { Element($0, driver: driver) }
    }

    /// The element with the focus; the body of the page if no other element has it.
    ///
    /// - Throws: ``WebDriverError`` with the code ``WebDriverError/Code/noSuchElement`` if the page
    ///   has no body.
    public var focusedElement: Element {
        get async throws {
            let reference: Element.Reference = try await driver.get("/element/active")
            return Element(reference, driver: driver)
        }
    }

    private static func selector(_ css: String) -> JSONValue {
        ["using": "css selector", "value": .string(css)]
    }
}
