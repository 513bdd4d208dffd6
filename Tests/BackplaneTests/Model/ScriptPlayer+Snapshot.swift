import Backplane
import Foundation

/// The form in which a snapshot is written.
private struct WrittenSnapshot: Codable {
    struct Entry: Codable {
        var board: String
        var gate: String?
        var obstacle: String?
        var input: MarkedNumber?
        var inside: [Entry]?

        struct MarkedNumber: Codable {
            var number: Int
            var marks: [Int]
        }

        var fact: Fact.Entry? {
            Name(rawValue: board).map { name in
                Fact.Entry(
                    board: name,
                    input: input?.number ?? 0,
                    gate: gate.flatMap(Name.init),
                    isDenied: obstacle == "denied",
                    inside: (inside ?? []).compactMap(\.fact)
                )
            }
        }

        mutating func reverse() {
            input?.marks.reverse()
            inside = inside?.map { entry in
                var entry = entry
                entry.reverse()
                return entry
            }
        }
    }

    var boards: [Entry]
}

extension BoardSnapshot {
    private var written: WrittenSnapshot? {
        (try? JSONEncoder().encode(self)).flatMap { try? JSONDecoder().decode(WrittenSnapshot.self, from: $0) }
    }

    var entries: [Fact.Entry] { written?.boards.compactMap(\.fact) ?? [] }

    /// The same snapshot as another process may have written it, with the sets in another order.
    var rewritten: BoardSnapshot {
        guard var written else { return self }
        for index in written.boards.indices { written.boards[index].reverse() }
        let text = try? JSONEncoder().encode(written)
        return text.flatMap { try? JSONDecoder().decode(BoardSnapshot.self, from: $0) } ?? self
    }
}
