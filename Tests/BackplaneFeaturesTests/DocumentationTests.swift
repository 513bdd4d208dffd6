import BackplaneFeatures
import Foundation
import Testing

private struct Course {
    typealias ID = String
}

private struct Tutor {
    let name: String
}

@MainActor private final class CoursePage {
    let tutor: Loader<Course.ID, Tutor>
    let todos: Loader<Course.ID, [String]>

    init(
        tutor: @escaping (Course.ID) async throws -> Tutor,
        todos: @escaping (Course.ID) async throws -> [String]
    ) {
        self.tutor = Loader(tutor)
        self.todos = Loader(todos)
    }

    func open(_ id: Course.ID) {
        tutor.load(id)
        todos.load(id)
    }
}

@MainActor struct DocumentationTests {
    @Test func `the landing page's sample does what the page says`() async {
        let page = CoursePage(
            tutor: { _ in Tutor(name: "Ada") },
            todos: { _ in throw URLError(.notConnectedToInternet) }
        )
        page.open("abc123")
        await page.tutor.settled()
        await page.todos.settled()
        #expect(page.tutor.value?.name == "Ada")
        #expect(page.todos.state.error != nil)
    }

    @Test func `the landing page's samples are the code in this file`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let pagePath = "Sources/BackplaneFeatures/BackplaneFeatures.docc/BackplaneFeatures.md"
        let page = try String(contentsOf: root.appending(path: pagePath), encoding: .utf8)
        let code = Self.lines(try String(contentsOfFile: #filePath, encoding: .utf8))
        let samples = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(samples.count == 2)
        for sample in samples {
            #expect(code.contains(Self.lines(sample)), "This sample is not compiled anywhere:\n\(sample)")
        }
    }

    /// The code without its indentation, access levels and blank lines.
    private static func lines(_ code: String) -> String {
        code.split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces).replacing("private final class", with: "final class") }
            .filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}
