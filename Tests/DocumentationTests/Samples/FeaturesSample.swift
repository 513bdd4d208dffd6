import BackplaneFeatures
import Foundation
import Testing

private enum Course {
    typealias ID = String
}

private struct Tutor {
    let name: String
}

private enum Features {
    @MainActor final class CoursePage {
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
}

extension Features {
    @MainActor @Test static func `each section loads and fails on its own`() async {
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
}
