import CampusModels
import Hummingbird

/// The routes for a user's courses and to-dos.
///
/// Each section of a course has its own request, so each can be slow or fail independently.
struct CourseRoutes {
    let courses: CourseStore
    let writer: IdempotentWriter

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
        group.put("courses/:id/todos/:todo") { request, context in
            let course = try Self.courseID(in: context)
            let todo = Todo.ID(rawValue: try context.pathText("todo"))
            let request = try await WriteRequest<TodoChange>(request, context)
            return try await writer.perform(request) { db in
                let todo = try courses.change(
                    todo,
                    of: course,
                    for: request.user,
                    to: request.body,
                    ifMatch: request.ifMatch,
                    in: db
                )
                return try WriteResponse(todo, entityTag: EntityTag(revision: todo.rev))
            }
        }
    }

    private static func courseID(in context: SignedInContext) throws -> Course.ID {
        Course.ID(rawValue: try context.pathText("id"))
    }
}
