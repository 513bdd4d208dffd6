import Backplane
import Testing

struct BoardIDTests {
    @Test func `an identity without its contract is compared with one that has it`() {
        #expect(AnyBoardID(.first) == BoardID<Numbers>.first)
        #expect(!(AnyBoardID(.first) == BoardID<Numbers>.second))
        #expect("\(AnyBoardID(.first)) \(BoardID<Numbers>.second)" == "first second")
    }

    @Test func `an identity without a contract is compared with one that has it, if there is one`() {
        let some: AnyBoardID? = AnyBoardID(BoardID<Numbers>.first)
        let none: AnyBoardID? = nil
        #expect(some == BoardID<Numbers>.first)
        #expect(!(some == BoardID<Numbers>.second))
        #expect(!(none == BoardID<Numbers>.first))
    }
}
