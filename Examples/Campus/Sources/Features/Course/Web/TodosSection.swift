import BackplaneFeatures
import CampusModels
import CourseModels
import Screens
import WebHost

/// The to-dos of a course in a browser.
enum TodosSection {
    struct Model: Sendable {
        let canChange: Bool
        let todos: [TodoModel]
        let changes: ChangeModel?
    }

    struct TodoModel: Sendable {
        let title: String
        let isDone: Bool
        /// Whether the server has not confirmed the shown value yet.
        let isUnsaved: Bool
        let id: String
    }

    static func section(of list: TodoList) -> Section {
        Section(id: CourseModel.Part.todos.rawValue, template: "course/to-dos", loader: list.todos) { todos in
            let unsaved = list.unsaved
            return Model(
                canChange: list.canChange,
                todos: todos.map { todo in
                    TodoModel(
                        title: todo.title,
                        isDone: todo.isDone,
                        isUnsaved: unsaved.contains(todo.id),
                        id: todo.id.rawValue
                    )
                },
                changes: ChangeModel(list.todos.pending)
            )
        }
    }
}
