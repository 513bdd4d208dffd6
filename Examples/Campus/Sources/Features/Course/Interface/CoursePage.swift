public import Backplane
public import CampusModels

/// One course with its tutor, schedule and to-dos.
public enum CoursePage: BoardContract {
    /// The ID of the course.
    public typealias Input = Course.ID
}

extension BoardID<CoursePage> {
    /// The course board; each activation has its own board, so two courses can be open at once.
    public static var course: Self { "course" }
}

// The ID in a deep link is all the input that the board needs.
extension Course.ID: LinkParameter {}
