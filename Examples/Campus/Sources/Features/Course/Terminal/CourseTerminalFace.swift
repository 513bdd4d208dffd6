import BackplaneFeatures
import CampusModels
public import CourseModels
import Foundation
import Screens
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

    /// The parts that can be loaded again.
    private enum Part: String {
        case course
        case tutor
        case schedule
        case todos = "to-dos"
    }

    /// Creates the face.
    public init() {}

    /// The title of the course.
    public func title(of page: CourseModel) -> String { page.course.value?.title ?? "Course" }

    /// The parts of the course, and whether one of them has failed.
    public func sections(of page: CourseModel) -> [TextSection] {
        [
            TextSection(Part.course.rawValue, page.course) { [line("summary", $0.summary)] },
            TextSection(Part.tutor.rawValue, page.tutor) { tutor in
                [line("name", tutor.name), line("email", tutor.email), line("office hours", tutor.officeHours)]
            },
            TextSection(Part.schedule.rawValue, page.schedule) { items in
                TextSection.list(items) { item in
                    row([item.title, "\(item.day.rawValue.capitalized), \(item.starts)–\(item.ends)", item.room])
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
            lines.append("  - " + row([todo.title] + marks + [todo.id.rawValue]))
        }
        if let changes = ChangeModel(list.todos.pending) { lines += self.lines(of: changes) }
        return lines
    }

    private func lines(of changes: ChangeModel) -> [String] {
        let refusals = changes.refusals.map { "    - " + row([$0.id, $0.reason]) }
        let heading = refusals.isEmpty ? "  refusals: none" : "  refusals:"
        return ["changes:", heading] + refusals + (changes.isUnanswered ? ["  unanswered"] : [])
    }

    private func line(_ name: String, _ text: String) -> String { text.isEmpty ? "\(name):" : "\(name): \(text)" }

    private func row(_ values: [String]) -> String { values.filter { !$0.isEmpty }.joined(separator: " · ") }

    /// Performs a command.
    public func handle(_ command: Command, _ arguments: TerminalArguments, on page: CourseModel) {
        switch command {
        case .tick: if let todo: Todo.ID = arguments.value("todo") { page.todos.tick(todo) }
        case .untick: if let todo: Todo.ID = arguments.value("todo") { page.todos.untick(todo) }
        case .dismiss:
            let changes = page.todos.todos.pending
            for change in changes where "\(change.id)" == arguments["change"] { page.todos.dismiss(change.id) }
        case .resend: page.todos.resend()
        case .retry:
            switch arguments.value("section", as: Part.self) {
            case .course: page.course.retry()
            case .tutor: page.tutor.retry()
            case .schedule: page.schedule.retry()
            case .todos: page.todos.todos.retry()
            case nil: break
            }
        case .retryAll: page.retryAll()
        }
    }
}
