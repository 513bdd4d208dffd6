import BackplaneFeatures
import CampusModels
public import CourseModels
import Foundation
import Screens
public import TerminalHost

/// One course in a terminal.
public struct CourseTerminalFace: TerminalFace {
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
}
