import Backplane
import TestSupport
import Testing

/// An entrance that the user opened stays when activations that waited at it give up.
@MainActor struct EntranceOfUserTests {
    private let campus = Campus(.onMain())
    private var motherboard: Motherboard { campus.motherboard }

    @Test(.rule("B73", "B50")) func `an entrance opened before the wait stays`() {
        motherboard.activate(.logIn)
        motherboard.activate(.course, with: 1).complete()
        #expect(motherboard.isLive(.logIn))
    }

    @Test(.rule("B73", "B50")) func `an entrance opened during the wait stays`() {
        let course = motherboard.activate(.course, with: 1)
        let logIn = motherboard.activate(.logIn)
        course.complete()
        #expect(logIn.state == .active)
        campus.signIn("ada")
        #expect(motherboard.isLive(.session))
        #expect(campus.journal.lines == ["session of ada"])
    }

    @Test(.rule("B73", "B56")) func `an entrance opened during the wait stays when the scope is activated directly`() {
        let course = motherboard.activate(.course, with: 1)
        let logIn = motherboard.activate(.logIn)
        motherboard.activate(.session, with: Account("ada"))
        #expect(course.state == .active)
        #expect(logIn.state == .active)
    }

    @Test(.rule("B73", "B82")) func `an entrance activated by its own detour ends with the last wait`() {
        let course = motherboard.activate(.course, with: 1)
        campus.logIns.boards[0].nextToBoard(.logIn)
        #expect(course.state == .waiting)
        course.complete()
        #expect(!motherboard.isLive(.logIn))
    }
}
