public import Backplane
public import CampusModels

/// One course with its tutor, schedule and to-dos, of which it needs to be told only the ID.
public enum CoursePage: BoardContract {
    /// Which course.
    public typealias Input = Course.ID
}

extension BoardID<CoursePage> {
    /// The course board; each activation has a board of its own, so that two courses can be open at once.
    public static var course: Self { "course" }
}

// What a deep link carries is all that the board needs.
extension Course.ID: LinkParameter {}
