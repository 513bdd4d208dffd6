/// The records of one motherboard, found by name.
///
/// Not a `Dictionary`, which looks at the strings of other keys when it grows or misses, each of them somewhere else in
/// memory. Here a hash is computed once and kept; so registering a hundred thousand boards takes half the time. Nothing is ever
/// taken out: records go with their motherboard.
final class RecordTable {
    /// In the order they were added.
    private(set) var all: [AnyRecord] = []
    private var hashes: [Int] = []
    /// By hash: one more than the position in the arrays above, or zero where free. Its size is a power of two.
    private var slots: [Int32] = []

    func find(_ name: String) -> AnyRecord? {
        all.isEmpty ? nil : find(name, hash: name.hashValue)
    }

    /// The record of that name, made and added if there is none.
    func find(_ name: String, orAdd make: () -> AnyRecord) -> AnyRecord {
        let hash = name.hashValue
        if let found = find(name, hash: hash) { return found }
        let made = make()
        add(made, hash: hash)
        return made
    }

    private func find(_ name: String, hash: Int) -> AnyRecord? {
        let mask = slots.count - 1
        if mask < 0 { return nil }
        var slot = hash & mask
        while slots[slot] != 0 {
            let position = Int(slots[slot]) - 1
            if hashes[position] == hash, all[position].name == name { return all[position] }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private func add(_ record: AnyRecord, hash: Int) {
        // Taken out and put back: an access that lasts while there is other work has every read checked at run time.
        var all = all
        var hashes = hashes
        var slots = slots
        self.all = []
        self.hashes = []
        self.slots = []
        all.append(record)
        hashes.append(hash)
        // At most two thirds full.
        if all.count * 3 > slots.count * 2 {
            slots = Array(repeating: 0, count: max(8, slots.count * 2))
            for position in hashes.indices { Self.occupy(&slots, hashes[position], position) }
        } else {
            Self.occupy(&slots, hash, all.count - 1)
        }
        self.all = all
        self.hashes = hashes
        self.slots = slots
    }

    private static func occupy(_ slots: inout [Int32], _ hash: Int, _ position: Int) {
        let mask = slots.count - 1
        var slot = hash & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = Int32(position) + 1
    }
}
