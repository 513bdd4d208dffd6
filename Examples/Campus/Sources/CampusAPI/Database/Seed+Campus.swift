import CampusModels

extension Seed {
    /// Two users who share one course and have other courses of their own.
    ///
    /// So the courses on a screen show which user is signed in.
    static let campus = Seed(
        accounts: [
            Account(
                user: User(id: "ada", name: "Ada Lovelace", email: DemoUsers.ada.email),
                password: DemoUsers.ada.password,
                courses: ["abc123", "lin201", "art150"],
                done: ["abc123-1"]
            ),
            Account(
                user: User(id: "grace", name: "Grace Hopper", email: DemoUsers.grace.email),
                password: DemoUsers.grace.password,
                courses: ["cmp310", "lin201"],
                done: []
            ),
        ],
        courses: [analyticalEngines, linearAlgebra, drawing, compilers]
    )

    private static let analyticalEngines = CourseContents(
        course: Course(
            id: "abc123",
            title: "Analytical Engines",
            summary: "From punched cards to programs: how a machine weaves algebra the way a loom weaves flowers."
        ),
        tutor: Tutor(
            id: "babbage",
            name: "Charles Babbage",
            email: "babbage@campus.example",
            officeHours: "Tuesdays, 14:00 to 16:00"
        ),
        schedule: [
            appointment("abc123-lecture", "Lecture", .monday, (9, 30), (11, 0), "Hall 1"),
            appointment("abc123-workshop", "Workshop", .thursday, (14, 0), (16, 0), "Machine room"),
        ],
        todos: [
            ("abc123-1", "Read the notes on the engine"),
            ("abc123-2", "Write the table for the Bernoulli numbers"),
            ("abc123-3", "Find the error in the fourth operation"),
        ]
    )

    private static let linearAlgebra = CourseContents(
        course: Course(
            id: "lin201",
            title: "Linear Algebra",
            summary: "Spaces, maps between them, and what stays the same when the basis does not."
        ),
        tutor: Tutor(
            id: "noether",
            name: "Emmy Noether",
            email: "noether@campus.example",
            officeHours: "Whenever the door is open"
        ),
        schedule: [
            appointment("lin201-lecture", "Lecture", .tuesday, (8, 15), (9, 45), "Hall 2"),
            appointment("lin201-exercise", "Exercise", .friday, (10, 0), (11, 30), "Room 204"),
        ],
        todos: [
            ("lin201-1", "Hand in exercise sheet 3"),
            ("lin201-2", "Prove that the rank is well defined"),
        ]
    )

    private static let drawing = CourseContents(
        course: Course(
            id: "art150",
            title: "Drawing from Life",
            summary: "Two hours a week of looking closely, with a pencil."
        ),
        tutor: Tutor(
            id: "merian",
            name: "Maria Sibylla Merian",
            email: "merian@campus.example",
            officeHours: "Wednesdays after class"
        ),
        schedule: [
            appointment("art150-studio", "Studio", .wednesday, (17, 0), (19, 0), "Greenhouse")
        ],
        todos: [
            ("art150-1", "Draw one leaf three times")
        ]
    )

    private static let compilers = CourseContents(
        course: Course(
            id: "cmp310",
            title: "Compilers",
            summary: "Teaching a machine to translate, and why the first one who proposed it was not believed."
        ),
        tutor: Tutor(
            id: "knuth",
            name: "Donald Knuth",
            email: "knuth@campus.example",
            officeHours: "By letter"
        ),
        schedule: [
            appointment("cmp310-lecture", "Lecture", .monday, (13, 0), (14, 30), "Hall 3"),
            appointment("cmp310-lab", "Lab", .wednesday, (9, 0), (11, 0), "Lab B"),
        ],
        todos: [
            ("cmp310-1", "Write a scanner for the sample grammar"),
            ("cmp310-2", "Tape the moth into the log book"),
        ]
    )

    private static func appointment(
        _ id: ScheduleItem.ID,
        _ title: String,
        _ day: ScheduleItem.Weekday,
        _ starts: (hour: Int, minute: Int),
        _ ends: (hour: Int, minute: Int),
        _ room: String
    ) -> ScheduleItem {
        guard let starts = TimeOfDay(hour: starts.hour, minute: starts.minute),
            let ends = TimeOfDay(hour: ends.hour, minute: ends.minute)
        else { preconditionFailure("The seed has an appointment '\(id)' at a time that does not exist.") }
        return ScheduleItem(id: id, title: title, day: day, starts: starts, ends: ends, room: room)
    }
}
