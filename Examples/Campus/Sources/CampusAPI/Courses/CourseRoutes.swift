import CampusModels
import Hummingbird

/// What a user may ask about their courses.
///
/// Each section of a course is a request of its own, so each can be slow, or fail, on its own.
struct CourseRoutes {
    let courses: CourseStore

    func add(to group: RouterGroup<SignedInContext>) {
        group.get("me") { _, context in
            JSON(context.user)
        }
        group.get("courses") { _, context in
            JSON(try await courses.courses(of: context.user.id))
        }
        group.get("courses/:id") { _, context in
            JSON(try await courses.course(try Self.courseID(in: context), of: context.user.id))
        }
        group.get("courses/:id/tutor") { _, context in
            JSON(try await courses.tutor(of: try Self.courseID(in: context), for: context.user.id))
        }
        group.get("courses/:id/schedule") { _, context in
            JSON(try await courses.schedule(of: try Self.courseID(in: context), for: context.user.id))
        }
        group.get("courses/:id/todos") { _, context in
            JSON(try await courses.todos(of: try Self.courseID(in: context), for: context.user.id))
        }
    }

    private static func courseID(in context: SignedInContext) throws -> Course.ID {
        Course.ID(rawValue: try context.parameters.require("id"))
    }
}
