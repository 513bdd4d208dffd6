import Backplane
import Testing

struct BoardIDTests {
    @Test func `an identity without its contract is compared with one that has it`() {
        #expect(AnyBoardID(.first) == BoardID<Numbers>.first)
        #expect(!(AnyBoardID(.first) == BoardID<Numbers>.second))
        #expect("\(AnyBoardID(.first)) \(BoardID<Numbers>.second)" == "first second")
    }
}
