/// A bounded queue that takes an element of each key in turn.
///
/// A key that adds many elements delays its own elements and not those of the others.
struct FairQueue<Key: Hashable, Element> {
    private let capacity: Int
    private let share: Int
    private var lines: [Key: [Element]] = [:]
    /// The keys with elements, in the order of their turns.
    private var turns: [Key] = []
    /// The number of elements.
    private(set) var count = 0

    /// Creates a queue for `capacity` elements, and for `share` elements of one key.
    init(capacity: Int, share: Int) {
        self.capacity = capacity
        self.share = share
    }

    /// Returns whether there is room for another element of `key`.
    func hasRoom(for key: Key) -> Bool {
        count < capacity && lines[key, default: []].count < share
    }

    /// Adds an element, also if there is no room for it.
    mutating func append(_ element: Element, for key: Key) {
        if lines[key, default: []].isEmpty { turns.append(key) }
        lines[key, default: []].append(element)
        count += 1
    }

    /// Removes the first element of the key whose turn it is, and returns it.
    mutating func popFirst() -> Element? {
        guard let key = turns.first, var line = lines[key], !line.isEmpty else { return nil }
        turns.removeFirst()
        let element = line.removeFirst()
        count -= 1
        if line.isEmpty {
            lines[key] = nil
        } else {
            lines[key] = line
            turns.append(key)
        }
        return element
    }
}
