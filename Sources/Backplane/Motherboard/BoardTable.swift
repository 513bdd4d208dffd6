/// The entries of one motherboard, found by name.
///
/// Not a `Dictionary`, which looks at the strings of other keys when it grows or misses, each of them somewhere else in
/// memory. Here a hash is computed once and kept; so registering a hundred thousand boards takes half the time. Nothing is ever
/// taken out: entries go with their motherboard.
final class BoardTable {
    /// In the order they were added.
    private(set) var all: [AnyBoardEntry] = []
    private var slots = Slots()

    func find(_ name: String) -> AnyBoardEntry? {
        find(name, hash: Slots.hash(name))
    }

    /// The entry of that name, made and added if there is none.
    func find(_ name: String, orAdd make: () -> AnyBoardEntry) -> AnyBoardEntry {
        let hash = Slots.hash(name)
        if let found = find(name, hash: hash) { return found }
        let made = make()
        // Taken out and put back: an access that lasts while there is other work has every read checked at run time.
        var all = all
        var slots = slots
        self.all = []
        self.slots = Slots()
        slots.add(hash, position: all.count)
        all.append(made)
        self.all = all
        self.slots = slots
        return made
    }

    private func find(_ name: String, hash: UInt32) -> AnyBoardEntry? {
        if all.isEmpty { return nil }
        var probe = slots.firstProbe(hash)
        while let position = slots.next(hash, &probe) {
            let entry = all[position]
            if entry.name == name { return entry }
        }
        return nil
    }
}

/// Where in an array what has a hash is to be found: open addressing, at most two thirds full.
private struct Slots {
    // The hash in the upper half and one more than the position in the lower; zero where free. A power of two of them.
    private var slots: [UInt64] = []
    private var count = 0

    static func hash(_ name: String) -> UInt32 {
        UInt32(truncatingIfNeeded: name.hashValue)
    }

    /// Where to begin to look for a hash.
    func firstProbe(_ hash: UInt32) -> Int { Int(hash) & (slots.count - 1) }

    /// The next position that is under this hash; nil when there is none.
    func next(_ hash: UInt32, _ probe: inout Int) -> Int? {
        while slots[probe] != 0 {
            let slot = slots[probe]
            probe = (probe + 1) & (slots.count - 1)
            if slot >> 32 == hash { return Int(slot & 0xFFFF_FFFF) - 1 }
        }
        return nil
    }

    mutating func add(_ hash: UInt32, position: Int) {
        count += 1
        if count * 3 > slots.count * 2 {
            let old = slots
            slots = Array(repeating: 0, count: max(8, old.count * 2))
            for slot in old where slot != 0 { occupy(slot) }
        }
        occupy(UInt64(hash) << 32 | UInt64(position + 1))
    }

    private mutating func occupy(_ slot: UInt64) {
        let mask = slots.count - 1
        var index = Int(slot >> 32) & mask
        while slots[index] != 0 { index = (index + 1) & mask }
        slots[index] = slot
    }
}
