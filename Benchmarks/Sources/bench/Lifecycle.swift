import Backplane
import CHeap

extension Operation {
    /// Creates, activates and completes a board, with sixteen IDs in turn.
    static func cycle(on owner: any Actor) -> Operation {
        let motherboard = Motherboard.inUse(on: owner)
        let ids = BoardID.numbered(16)
        for id in ids { motherboard.register(id, Leaf.init) }
        return Operation { count in
            for number in 0..<count { motherboard.activate(ids[number % 16], with: number).complete() }
        }
    }

    /// Completes, recreates and activates a board, for each of `total` live boards in random order.
    static func cycle(on owner: any Actor, amongLive total: Int) -> Operation {
        var population = Population(of: total, on: owner)
        return Operation { count in population.cycle(count) }
    }

    /// Replaces an object in a dictionary, for each of `total` objects in random order.
    static func dictionaryCycle(among total: Int) -> Operation {
        final class Entry {
            let number: Int
            init(number: Int) { self.number = number }
        }
        let names = (0..<total).map { longName("board", $0) }
        var table = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, Entry(number: $0)) })
        let order = names.shuffled()
        var next = 0
        return Operation { count in
            for number in 0..<count {
                table[order[next]] = nil
                table[order[next]] = Entry(number: number)
                next = (next + 1) % total
            }
            consume(table.count)
        }
    }

    /// Registers and activates `total` boards on a new motherboard.
    static func install(_ total: Int, on owner: any Actor) -> Operation {
        let ids = BoardID.numbered(total)
        var motherboard = Motherboard.inUse(on: owner)
        return Operation(
            count: total,
            prepare: { motherboard = .inUse(on: owner) },
            perform: { count in motherboard.install(ids.prefix(count)) }
        )
    }

    /// Registers and activates `total` boards, each inside the one before, until there are `levels`
    /// of them; then another motherboard is used.
    static func nest(_ total: Int, levels: Int, on owner: any Actor) -> Operation {
        let id = BoardID<Counting>(longName("board", 0))
        var roots: [Motherboard] = []
        return Operation(
            count: total,
            prepare: { roots = [] },
            perform: { count in
                for _ in 0..<count / levels {
                    let root = Motherboard(owner: owner)
                    roots.append(root)
                    var innermost = root
                    for _ in 0..<levels { innermost = innermost.plug(id, Leaf.init).inner }
                }
            }
        )
    }
}

/// Returns the heap bytes for each of `total` live boards; `nil` if the system does not report
/// them.
///
/// The bytes include the board, its registration and its part of the motherboard. They do not
/// include its name, which is a literal in an app.
func heapBytesPerLiveBoard(_ total: Int, on owner: any Actor) -> Double? {
    let ids = BoardID.numbered(total)
    let motherboard = Motherboard.inUse(on: owner)
    let before = heap_bytes_in_use()
    motherboard.install(ids[...])
    let after = heap_bytes_in_use()
    return withExtendedLifetime(motherboard) { before < 0 ? nil : Double(after - before) / Double(total) }
}

extension Motherboard {
    fileprivate func install(_ ids: ArraySlice<BoardID<Counting>>) {
        for id in ids {
            register(id, Leaf.init)
            activate(id, with: 0)
        }
    }
}

/// Many live boards, visited in an order that is unrelated to their order in memory.
private struct Population {
    private let motherboard: Motherboard
    private var boards: [(id: BoardID<Counting>, activation: Activation<Counting>)]
    private var next = 0

    init(of total: Int, on owner: any Actor) {
        let motherboard = Motherboard.inUse(on: owner)
        let ids = BoardID.numbered(total)
        motherboard.install(ids[...])
        self.motherboard = motherboard
        boards = ids.map { ($0, motherboard.activate($0, with: 0)) }.shuffled()
    }

    mutating func cycle(_ count: Int) {
        for number in 0..<count {
            boards[next].activation.complete()
            boards[next].activation = motherboard.activate(boards[next].id, with: number)
            next = (next + 1) % boards.count
        }
    }
}
