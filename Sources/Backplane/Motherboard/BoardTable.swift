/// The entries of one motherboard, by name.
///
/// A `Dictionary` would be slower. When it grows or misses, it reads the strings of other keys,
/// which are scattered in memory. This table computes each hash once and keeps it, which halves the
/// time to register a hundred thousand boards. Entries are never removed: they are released with
/// their motherboard.
final class BoardTable {
    /// All entries, in the order they were added.
    private(set) var all: [AnyBoardEntry] = []
    private var slots = Slots()
    /// The entries that the default IDs of their contracts have found.
    private var contracts = Slots()

    func find(_ name: String) -> AnyBoardEntry? {
        find(name, hash: Self.hash(name))
    }

    /// Returns the entry with the name of a contract's default ID, and hashes the name only once.
    func find<Contract: BoardContract>(defaultOf contract: Contract.Type) -> AnyBoardEntry? {
        let hash = Self.hash(ObjectIdentifier(contract))
        if !contracts.isEmpty {
            var probe = contracts.firstProbe(hash)
            while let position = contracts.next(hash, &probe) {
                let entry = all[position]
                if entry.has(contract) { return entry }
            }
        }
        let entry = find(nameOfID(for: contract))
        if let entry, entry.has(contract), let position = all.firstIndex(where: { $0 === entry }) {
            // Moved out and back, for the reason given in `find(_:orAdd:)`.
            var contracts = contracts
            self.contracts = Slots()
            contracts.add(hash, position: position)
            self.contracts = contracts
        }
        return entry
    }

    // An address is a multiple of 16, and only the lowest bits of a hash select a slot.
    private static func hash(_ type: ObjectIdentifier) -> UInt32 {
        let address = UInt(bitPattern: type)
        return UInt32(truncatingIfNeeded: address >> 4 ^ address >> 16)
    }

    static func hash(_ name: String) -> UInt32 { UInt32(truncatingIfNeeded: name.hashValue) }

    /// Returns the entry with `name`, and adds one if there is none.
    func find(_ name: String, orAdd make: () -> AnyBoardEntry) -> AnyBoardEntry {
        let hash = Self.hash(name)
        if let found = find(name, hash: hash) { return found }
        let made = make()
        // Moved out and back. A modification in place would last while other code runs. Then every
        // read of the property would be checked for exclusivity at run time.
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

    func removeAll() {
        let all = all
        self.all = []
        slots = Slots()
        contracts = Slots()
        drop(all)
    }

    func find(_ name: String, hash: UInt32) -> AnyBoardEntry? {
        if all.isEmpty { return nil }
        var probe = slots.firstProbe(hash)
        while let position = slots.next(hash, &probe) {
            let entry = all[position]
            if entry.name == name { return entry }
        }
        return nil
    }
}

/// A hash table of array positions, with open addressing, at most two thirds full.
private struct Slots {
    // Each slot holds the hash in its upper half, and the position plus one in its lower half. A
    // free slot is zero. The number of slots is a power of two.
    private var slots: [UInt64] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// Returns the index of the first slot to probe for a hash.
    ///
    /// `Int` has 32 bits on some watches, so not every hash is one.
    func firstProbe(_ hash: UInt32) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }

    /// Returns the next position stored under this hash; `nil` if there is none.
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
        var index = Int(truncatingIfNeeded: slot >> 32) & mask
        while slots[index] != 0 { index = (index + 1) & mask }
        slots[index] = slot
    }
}
