#if canImport(SwiftUI)
    import BackplaneFeatures
    import CampusModels
    import CourseModels
    import ScreensSwiftUI
    import SwiftUI

    /// The to-dos of a course, which the user can tick.
    struct TodoSection: View {
        let list: TodoList

        var body: some View {
            LoadSection("To-dos", list.todos.state) { todos in
                ChangeRows(list.todos.pending) { change in
                    list.dismiss(change: change)
                } resend: {
                    list.resend()
                }
                ForEach(todos) { row(of: $0) }
                if todos.isEmpty { Text("No to-dos for this course.").foregroundStyle(.secondary) }
            } retry: {
                list.todos.retry()
            }
        }

        private func row(of todo: Todo) -> some View {
            HStack {
                Button {
                    if todo.isDone { list.untick(todo.id) } else { list.tick(todo.id) }
                } label: {
                    Label(todo.title, systemImage: todo.isDone ? "checkmark.circle.fill" : "circle")
                        .strikethrough(todo.isDone)
                }
                .disabled(!list.canChange)
                .accessibilityLabel(todo.isDone ? "\(todo.title), done" : "\(todo.title), not done")
                if list.unsaved.contains(todo.id) {
                    Spacer()
                    Text("Not saved yet").font(.footnote).foregroundStyle(.secondary)
                }
            }
        }
    }
#endif
