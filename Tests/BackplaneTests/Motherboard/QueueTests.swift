import Testing

@testable import Backplane

struct QueueTests {
    @Test(arguments: [1, 2, 7, 8, 9, 15, 16, 17, 100])
    func `values leave in the order of their arrival, even at the end of the ring`(length: Int) {
        var queue = Queue<Int>()
        #expect(queue.popFirst() == nil)
        var added = 0
        var expected = 0
        for _ in 0..<length {
            queue.append(added)
            added += 1
        }
        for _ in 0..<1_000 {
            #expect(queue.count == length)
            #expect(queue.popFirst() == expected)
            expected += 1
            queue.append(added)
            added += 1
        }
        while let value = queue.popFirst() {
            #expect(value == expected)
            expected += 1
        }
        #expect(expected == added)
        #expect(queue.count == 0)
    }

    @Test func `a queue keeps its order when it grows`() {
        for offset in 0..<8 {
            var queue = Queue<Int>()
            for value in 0..<offset { queue.append(value) }
            for value in 0..<offset { #expect(queue.popFirst() == value) }
            for value in 0..<40 { queue.append(value) }
            #expect(queue.count == 40)
            for value in 0..<40 { #expect(queue.popFirst() == value) }
        }
    }

    @Test func `a removed value is released`() {
        var queue = Queue<Journal>()
        weak var gone: Journal?
        weak var staying: Journal?
        do {
            let values = [Journal(), Journal()]
            gone = values[0]
            staying = values[1]
            for value in values { queue.append(value) }
            _ = queue.popFirst()
        }
        #expect(gone == nil)
        #expect(staying != nil)
        _ = queue.popFirst()
        #expect(staying == nil)
    }
}
