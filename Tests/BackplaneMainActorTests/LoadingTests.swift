import BackplaneFeatures
import Testing

// Everything here is on the main actor by default, including ID types and their conformances.

struct CourseID: Hashable {
    let rawValue: String
}

final class Course {
    var title: String
    init(title: String) { self.title = title }
}

final class CourseModel {
    let course = Loader<CourseID, Course> { id in Course(title: "Course \(id.rawValue)") }

    func open(_ id: CourseID) {
        course.load(id)
    }
}

struct LoadingTests {
    @Test func `a module with main-actor default isolation loads without annotations`() async {
        let model = CourseModel()
        model.open(CourseID(rawValue: "abc123"))
        #expect(model.course.state.isLoading)
        await model.course.settled()
        #expect(model.course.value?.title == "Course abc123")
        model.course.reload()
        #expect(model.course.value?.title == "Course abc123")
        await model.course.settled()
    }
}
