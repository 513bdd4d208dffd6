import BackplaneFeatures
import CampusModels
public import CourseModels
import Foundation
public import Screens
public import TerminalHost

/// One course in a terminal.
public struct CourseTerminalFace: TerminalFace {
    /// The commands of the screen.
    public enum Command: String, CaseIterable {
        /// Takes the argument `todo`, the ID of the to-do to mark as done.
        case tick
        /// Takes the argument `todo`, the ID of the to-do to mark as open.
        case untick
        /// Takes the argument `change`, the ID of a rejected change.
        case dismiss
        /// Resends the unconfirmed changes.
        case resend
        /// Takes the argument `section`, the ID of the part to load again after a failure.
        case retry
        /// Loads all failed parts again.
        case retryAll = "retry-all"
    }

    private typealias Part = CourseModel.Part

    /// Creates the face.
    public init() {}

    /// The title of the course.
    public func title(of page: CourseModel) -> String { page.course.value?.title ?? "Course" }

    /// The parts of the course, and whether one of them has failed.
    public func sections(of page: CourseModel) -> [TextSection] {
        [
            TextSection(Part.course.rawValue, page.course) { [TextSection.line("summary", $0.summary)] },
            TextSection(Part.tutor.rawValue, page.tutor) { tutor in
                [
                    TextSection.line("name", tutor.name),
                    TextSection.line("email", tutor.email),
                    TextSection.line("office hours", tutor.officeHours),
                ]
            },
            TextSection(Part.schedule.rawValue, page.schedule) { items in
                TextSection.list(items) { item in
                    let time = "\(item.day.rawValue.capitalized), \(item.starts)–\(item.ends)"
                    return TextSection.row([item.title, time, item.room])
                }
            },
            TextSection(Part.todos.rawValue, page.todos.todos) { todos in lines(of: todos, in: page.todos) },
            TextSection("failures", page.anyFailed ? ["any failed"] : []),
        ]
    }

    private func lines(of todos: [Todo], in list: TodoList) -> [String] {
        let unsaved = list.unsaved
        var lines = list.canChange ? ["can change"] : []
        lines.append(todos.isEmpty ? "todos: none" : "todos:")
        for todo in todos {
            let marks = [todo.isDone ? "done" : "", unsaved.contains(todo.id) ? "unsaved" : ""]
            lines.append("  - " + TextSection.row([todo.title] + marks + [todo.id.rawValue]))
        }
        return lines + TextSection.changes(list.todos.pending)
    }

    /// Performs a command.
    public func handle(_ command: Command, _ arguments: EventFields, on page: CourseModel) {
        switch command {
        case .tick: if let todo: Todo.ID = arguments.value("todo") { page.todos.tick(todo) }
        case .untick: if let todo: Todo.ID = arguments.value("todo") { page.todos.untick(todo) }
        case .dismiss: if let change = arguments["change"] { page.todos.dismiss(change: change) }
        case .resend: page.todos.resend()
        case .retry: if let part: Part = arguments.value("section") { page.retry(part) }
        case .retryAll: page.retryAll()
        }
    }
}
