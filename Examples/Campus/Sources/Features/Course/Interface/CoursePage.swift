public import Backplane
public import CampusModels

/// One course with its tutor, schedule and to-dos.
public enum CoursePage: BoardContract {
    /// The ID of the course.
    public typealias Input = Course.ID
    /// The ID of the board.
    public static let id: BoardID<Self> = "course"
}

// The ID in a deep link is all the input that the board needs.
extension Course.ID: LinkParameter {}
