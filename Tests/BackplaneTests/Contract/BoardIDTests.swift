import Backplane
import Testing

struct BoardIDTests {
    @Test func `an untyped ID is compared with a typed ID`() {
        #expect(AnyBoardID(.first) == BoardID<Numbers>.first)
        #expect(!(AnyBoardID(.first) == BoardID<Numbers>.second))
        #expect("\(AnyBoardID(.first)) \(BoardID<Numbers>.second)" == "first second")
    }

    @Test func `an optional untyped ID is compared with a typed ID`() {
        let some: AnyBoardID? = AnyBoardID(BoardID<Numbers>.first)
        let none: AnyBoardID? = nil
        #expect(some == BoardID<Numbers>.first)
        #expect(!(some == BoardID<Numbers>.second))
        #expect(!(none == BoardID<Numbers>.first))
    }
}
