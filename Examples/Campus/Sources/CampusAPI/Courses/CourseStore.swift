import CampusModels
import GRDB

/// A store of courses as one user sees them: only courses in which the user is enrolled.
struct CourseStore: Sendable {
    let pool: DatabasePool

    /// Returns the courses of `user`, by title.
    func courses(of user: User.ID) async throws -> [Course] {
        try pool.readHere { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT course.* FROM course JOIN enrolment ON courseID = course.id
                        WHERE userID = ? ORDER BY title
                        """
                ),
                arguments: [user.rawValue]
            ).map(Self.course)
        }
    }

    /// Returns the course `id`.
    ///
    /// - Throws: status 404 if `user` has no such course; all methods below do the same.
    func course(_ id: Course.ID, of user: User.ID) async throws -> Course {
        try pool.readHere { db in Self.course(try enrolledCourse(id, of: user, in: db)) }
    }

    /// Returns the tutor of the course `id`.
    func tutor(of id: Course.ID, for user: User.ID) async throws -> Tutor {
        try pool.readHere { db in
            let course = try enrolledCourse(id, of: user, in: db)
            let row = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT * FROM tutor WHERE id = ?"),
                arguments: [course["tutorID"] as String]
            )
            guard let row else { throw APIFailure.noSuchCourse(id) }
            return Tutor(
                id: Tutor.ID(rawValue: row["id"]),
                name: row["name"],
                email: row["email"],
                officeHours: row["officeHours"]
            )
        }
    }

    /// Returns the weekly appointments of the course `id`, in the order of their insertion.
    func schedule(of id: Course.ID, for user: User.ID) async throws -> [ScheduleItem] {
        try pool.readHere { db in
            _ = try enrolledCourse(id, of: user, in: db)
            return try Row.fetchAll(
                db.cachedStatement(sql: "SELECT * FROM scheduleItem WHERE courseID = ? ORDER BY rowid"),
                arguments: [id.rawValue]
            ).map(Self.scheduleItem)
        }
    }

    /// Returns the to-dos of the course `id` with the state of `user`, in the order of their
    /// insertion.
    func todos(of id: Course.ID, for user: User.ID) async throws -> [Todo] {
        try pool.readHere { db in
            _ = try enrolledCourse(id, of: user, in: db)
            return try Row.fetchAll(
                db.cachedStatement(sql: Self.todos + " WHERE courseID = ? ORDER BY todo.rowid"),
                arguments: [user.rawValue, id.rawValue]
            ).map(Self.todo)
        }
    }

    /// Changes a to-do of the course `id` for `user`.
    ///
    /// - Throws: status 404 if the course has no such to-do, or status 412 if the condition does
    ///   not match its current revision.
    func change(
        _ todo: Todo.ID,
        of id: Course.ID,
        for user: User.ID,
        to change: TodoChange,
        ifMatch condition: String?,
        in db: Database
    ) throws -> Todo {
        _ = try enrolledCourse(id, of: user, in: db)
        let row = try Row.fetchOne(
            db.cachedStatement(sql: Self.todos + " WHERE courseID = ? AND id = ?"),
            arguments: [user.rawValue, id.rawValue, todo.rawValue]
        )
        guard let row else { throw APIFailure.noSuchTodo(todo) }
        var changed = Self.todo(row)
        guard EntityTag(revision: changed.rev).satisfies(ifMatch: condition) else { throw APIFailure.changedMeanwhile }
        changed.isDone = change.isDone
        changed.rev += 1
        try db.execute(
            sql: "INSERT OR REPLACE INTO todoState (userID, todoID, isDone, rev) VALUES (?, ?, ?, ?)",
            arguments: [user.rawValue, todo.rawValue, changed.isDone, changed.rev]
        )
        return changed
    }

    /// A query for to-dos with a user's state.
    private static let todos = """
        SELECT id, title, coalesce(isDone, FALSE) AS isDone, coalesce(rev, 0) AS rev
        FROM todo LEFT JOIN todoState ON todoID = id AND userID = ?
        """

    private static func todo(_ row: Row) -> Todo {
        Todo(id: Todo.ID(rawValue: row["id"]), title: row["title"], isDone: row["isDone"], rev: row["rev"])
    }

    private func enrolledCourse(_ id: Course.ID, of user: User.ID, in db: Database) throws -> Row {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT course.* FROM course JOIN enrolment ON courseID = course.id
                    WHERE course.id = ? AND userID = ?
                    """
            ),
            arguments: [id.rawValue, user.rawValue]
        )
        guard let row else { throw APIFailure.noSuchCourse(id) }
        return row
    }

    private static func course(_ row: Row) -> Course {
        Course(id: Course.ID(rawValue: row["id"]), title: row["title"], summary: row["summary"])
    }

    private static func scheduleItem(_ row: Row) throws -> ScheduleItem {
        guard let day = ScheduleItem.Weekday(rawValue: row["day"]),
            let starts = TimeOfDay(row["starts"]),
            let ends = TimeOfDay(row["ends"])
        else {
            throw DatabaseError(message: "The schedule item '\(row["id"] as String)' has no valid day or time.")
        }
        return ScheduleItem(
            id: ScheduleItem.ID(rawValue: row["id"]),
            title: row["title"],
            day: day,
            starts: starts,
            ends: ends,
            room: row["room"]
        )
    }
}
