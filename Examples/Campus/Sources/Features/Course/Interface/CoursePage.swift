public import Backplane
public import CampusModels

/// One course with its tutor, schedule and to-dos.
public enum CoursePage: BoardContract {
    /// The ID of the course.
    public typealias Input = Course.ID
    /// The ID of the board.
    public static let id: BoardID<Self> = "course"
    /// The deep link of a course.
    public static let link: LinkTemplate = "/course/{id}"

    /// Returns the path of the deep link of a course.
    public static func path(of course: Course.ID) -> String { "/course/\(course.pathSegment)" }
}

// The ID in a deep link is all the input that the board needs.
extension Course.ID: LinkParameter {}
