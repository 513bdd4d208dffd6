/// A set of IDs, each with the time when it is due, ordered by that time.
///
/// It is a binary heap that knows the position of each ID. Adding, moving and removing take
/// logarithmic time, and a moved deadline leaves nothing behind.
struct Deadlines<ID: Hashable> {
    private struct Entry {
        let id: ID
        var due: Duration
    }

    private var heap: [Entry] = []
    private var positions: [ID: Int] = [:]

    /// The earliest time; `nil` if the set is empty.
    var earliest: Duration? { heap.first?.due }

    /// Adds an ID, or moves it to another time.
    mutating func set(_ id: ID, at due: Duration) {
        if let position = positions[id] {
            heap[position].due = due
            sort(from: position)
        } else {
            positions[id] = heap.count
            heap.append(Entry(id: id, due: due))
            sort(from: heap.count - 1)
        }
    }

    /// Removes an ID, if it is in the set.
    mutating func remove(_ id: ID) {
        guard let position = positions.removeValue(forKey: id) else { return }
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        positions[last.id] = position
        sort(from: position)
    }

    /// Removes all IDs that are due, and returns them, the earliest first.
    mutating func removeDue(at now: Duration) -> [ID] {
        var due: [ID] = []
        while let first = heap.first, first.due <= now {
            due.append(first.id)
            remove(first.id)
        }
        return due
    }

    /// Moves the entry at this position up or down until the heap is ordered again.
    private mutating func sort(from position: Int) {
        var position = position
        while position > 0, heap[position].due < heap[(position - 1) / 2].due {
            swap(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
        while let child = earlierChild(of: position), heap[child].due < heap[position].due {
            swap(position, child)
            position = child
        }
    }

    private func earlierChild(of position: Int) -> Int? {
        let (left, right) = (2 * position + 1, 2 * position + 2)
        guard left < heap.count else { return nil }
        return right < heap.count && heap[right].due < heap[left].due ? right : left
    }

    private mutating func swap(_ first: Int, _ second: Int) {
        heap.swapAt(first, second)
        positions[heap[first].id] = first
        positions[heap[second].id] = second
    }
}
