import CampusAPI
import CampusModels
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CourseTests {
    @Test func `each user sees the courses they are enrolled in`() async throws {
        try await withAPI { api in
            let ada = try await api.signIn(DemoUsers.ada).accessToken
            let grace = try await api.signIn(DemoUsers.grace).accessToken
            let adas: [Course] = try await api.get("/courses", token: ada).decoded()
            let graces: [Course] = try await api.get("/courses", token: grace).decoded()
            #expect(adas.map(\.id) == ["abc123", "art150", "lin201"])
            #expect(graces.map(\.id) == ["cmp310", "lin201"])
        }
    }

    @Test func `a course and its sections are loaded by the course's ID`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let course: Course = try await api.get("/courses/abc123", token: token).decoded()
            #expect(course.id == "abc123")
            #expect(course.title == "Analytical Engines")
            #expect(course.summary.hasPrefix("From punched cards"))

            let tutor: Tutor = try await api.get("/courses/abc123/tutor", token: token).decoded()
            #expect(tutor.id == "babbage")
            #expect(tutor.name == "Charles Babbage")
            #expect(tutor.email == "babbage@campus.example")
            #expect(tutor.officeHours == "Tuesdays, 14:00 to 16:00")

            let schedule: [ScheduleItem] = try await api.get("/courses/abc123/schedule", token: token).decoded()
            #expect(schedule.map(\.title) == ["Lecture", "Workshop"])
            #expect(schedule.map(\.day) == [.monday, .thursday])
            #expect(schedule.map(\.starts.description) == ["09:30", "14:00"])
            #expect(schedule.map(\.ends.description) == ["11:00", "16:00"])
            #expect(schedule.map(\.room) == ["Hall 1", "Machine room"])

            let todos: [Todo] = try await api.get("/courses/abc123/todos", token: token).decoded()
            #expect(todos.map(\.id) == ["abc123-1", "abc123-2", "abc123-3"])
            #expect(todos.map(\.isDone) == [true, false, false])
            #expect(todos.map(\.rev) == [1, 0, 0])
            #expect(todos.first?.title == "Read the notes on the engine")
        }
    }

    @Test(arguments: ["", "/tutor", "/schedule", "/todos"])
    func `an unknown course and another user's course give the same error`(section: String) async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            for id in ["nonsense", "cmp310", "%F0%9F%90%9D", "'%20OR%20''='"] {
                let answer = try await api.get("/courses/\(id)\(section)", token: token)
                #expect(answer.status == 404)
                #expect(try answer.error.code == .notFound)
                #expect(try answer.error.message.contains("GET /courses"))
            }
        }
    }
}
