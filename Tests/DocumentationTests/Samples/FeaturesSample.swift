import BackplaneFeatures
import Foundation
import Testing

private enum Course {
    typealias ID = String
}

private struct Tutor {
    let name: String
}

private struct Message: Identifiable {
    let id: Int
    let text: String
}

private enum Features {
    @MainActor final class Inbox {
        let messages: PagedLoader<Int, Message>

        init(messages: @escaping (Int?) async throws -> Page<Int, Message>) {
            self.messages = PagedLoader(messages)
        }

        func open() {
            messages.load()
        }

        func lastMessageIsVisible() {
            messages.loadMore()
        }
    }

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

    @MainActor @Test static func `a list loads page by page`() async {
        let inbox = Inbox { cursor in
            let first = cursor ?? 0
            let messages = (first..<first + 2).map { Message(id: $0, text: "message \($0)") }
            return Page(messages, next: first == 0 ? 2 : nil)
        }
        inbox.open()
        await inbox.messages.settled()
        inbox.lastMessageIsVisible()
        await inbox.messages.settled()
        #expect(inbox.messages.ids == [0, 1, 2, 3])
        #expect(!inbox.messages.hasMore)
    }
}
