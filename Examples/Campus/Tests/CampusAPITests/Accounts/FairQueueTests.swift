import Testing

@testable import CampusAPI

struct FairQueueTests {
    @Test func `the keys are served in turn, and the elements of one key keep their order`() {
        var queue = FairQueue<String, Int>(capacity: 10, share: 10)
        for element in 1...3 { queue.append(element, for: "a") }
        queue.append(11, for: "b")
        queue.append(21, for: "c")
        queue.append(12, for: "b")
        var order: [Int] = []
        while let element = queue.popFirst() { order.append(element) }
        #expect(order == [1, 11, 21, 2, 12, 3])
        #expect(queue.count == 0)
    }

    @Test func `one key has a limit, and all keys together have a limit`() {
        var queue = FairQueue<String, Int>(capacity: 3, share: 2)
        queue.append(1, for: "a")
        #expect(queue.hasRoom(for: "a"))
        queue.append(2, for: "a")
        #expect(!queue.hasRoom(for: "a"))
        #expect(queue.hasRoom(for: "b"))
        queue.append(3, for: "b")
        #expect(!queue.hasRoom(for: "c"))
        _ = queue.popFirst()
        #expect(queue.hasRoom(for: "a"))
    }
}
