/// A first-in, first-out queue in a ring buffer that does not retain removed elements.
struct Queue<Element> {
    private var ring: [Element?] = []
    private var first = 0
    private(set) var count = 0

    mutating func append(_ element: Element) {
        if count == ring.count { grow() }
        // The ring's size is a power of two.
        ring[(first + count) & (ring.count - 1)] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        if count == 0 { return nil }
        defer {
            first = (first + 1) & (ring.count - 1)
            count -= 1
        }
        return ring[first].take()
    }

    private mutating func grow() {
        let inOrder = ring[first...] + ring[..<first]
        ring = Array(inOrder) + Array(repeating: nil, count: Swift.max(ring.count, 8))
        first = 0
    }
}
