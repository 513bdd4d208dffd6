import CampusModels
import GRDB

/// The content of a new database.
struct Seed {
    struct Account {
        let user: User
        let password: String
        let courses: [Course.ID]
        let done: [Todo.ID]
    }

    struct CourseContents {
        let course: Course
        let tutor: Tutor
        let schedule: [ScheduleItem]
        let todos: [(id: Todo.ID, title: String)]
    }

    let accounts: [Account]
    let courses: [CourseContents]

    func insert(into db: Database, passwordCost: PasswordCost) throws {
        for contents in courses { try insert(contents, into: db) }
        for account in accounts { try insert(account, into: db, passwordCost: passwordCost) }
    }

    private func insert(_ contents: CourseContents, into db: Database) throws {
        let (course, tutor) = (contents.course, contents.tutor)
        // A tutor may teach several courses.
        try db.execute(
            sql: "INSERT OR IGNORE INTO tutor (id, name, email, officeHours) VALUES (?, ?, ?, ?)",
            arguments: [tutor.id.rawValue, tutor.name, tutor.email, tutor.officeHours]
        )
        try db.execute(
            sql: "INSERT INTO course (id, title, summary, tutorID) VALUES (?, ?, ?, ?)",
            arguments: [course.id.rawValue, course.title, course.summary, tutor.id.rawValue]
        )
        for item in contents.schedule {
            try db.execute(
                sql: """
                    INSERT INTO scheduleItem (id, courseID, title, day, starts, ends, room) VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    item.id.rawValue, course.id.rawValue, item.title, item.day.rawValue,
                    item.starts.description, item.ends.description, item.room,
                ]
            )
        }
        for todo in contents.todos {
            try db.execute(
                sql: "INSERT INTO todo (id, courseID, title) VALUES (?, ?, ?)",
                arguments: [todo.id.rawValue, course.id.rawValue, todo.title]
            )
        }
    }

    private func insert(_ account: Account, into db: Database, passwordCost: PasswordCost) throws {
        let user = account.user
        let hash = try PasswordHash(password: account.password, cost: passwordCost)
        try db.execute(
            sql: "INSERT INTO user (id, name, email, passwordHash) VALUES (?, ?, ?, ?)",
            arguments: [user.id.rawValue, user.name, try EmailAddress(user.email).text, hash.description]
        )
        for course in account.courses {
            try db.execute(
                sql: "INSERT INTO enrolment (userID, courseID) VALUES (?, ?)",
                arguments: [user.id.rawValue, course.rawValue]
            )
        }
        for todo in account.done {
            try db.execute(
                sql: "INSERT INTO todoState (userID, todoID, isDone, rev) VALUES (?, ?, TRUE, 1)",
                arguments: [user.id.rawValue, todo.rawValue]
            )
        }
    }
}
