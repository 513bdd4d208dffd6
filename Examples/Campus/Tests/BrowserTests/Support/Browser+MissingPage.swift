import Testing
import WebDriver

extension Browser {
    /// Waits for a page that is one message about a missing subject, with status 404 if the page
    /// has no script.
    func showsMissingPage(_ title: String, isScripted: Bool) async throws {
        try await waitFor("h1", text: title)
        #expect(try await findAll("section").count == 1)
        #expect(try await findAll("[role=alert]").isEmpty)
        guard !isScripted else { return }
        let status = "return performance.getEntriesByType('navigation')[0].responseStatus"
        #expect(try await executeScript(status) == 404)
    }
}
