import Backplane
import BackplaneTesting
import Foundation
import TestSupport
import Testing

/// Event logs and snapshots with hostile content never trap.
///
/// Set `BACKPLANE_WIRE=1000000` to try more texts.
@Suite(.rule("N16"))
@MainActor
struct WrittenFuzzTests {
    private let run = RandomRun(count: 10_000, countVariable: "BACKPLANE_WIRE")
    private let boards = [#""first""#, #""words""#, #""third""#]

    private func motherboard() -> Motherboard {
        let motherboard = Motherboard()
        motherboard.probe(.first)
        motherboard.probe(.words)
        return motherboard
    }

    @Test func `reading, writing and replaying any event log does not trap`() async throws {
        let shape: KeyValuePairs = [
            "time": ["0", "1.5"],
            "kind": ["activated", "command", "output", "completed", "waiting"].map { "\"\($0)\"" },
            "board": boards, "number": ["1"], "inside": [#"["first#1"]"#, "[]"], "derived": ["true", "false"],
            "private": ["true", "false"], "gate": boards, "action": [#""Wish""#], "payload": ["1", #""a""#, "null"],
            "unwritten": [#""Wish""#],
        ]
        var texts = HostileJSON(shape, seed: run.seed)
        var read = 0
        for _ in 0..<run.count {
            await run.letOthersRun()
            guard let log = try? EventLog(jsonLines: texts.next() + "\n"), !log.entries.isEmpty else { continue }
            read += 1
            #expect(try EventLog(jsonLines: log.jsonLines).entries.count == log.entries.count, "\(run)")
            _ = motherboard().replay(log)
        }
        #expect(read > run.count / 20, "too few texts are valid event logs to prove anything, \(run)")
    }

    @Test func `reading, writing and restoring any snapshot does not trap`() async throws {
        let shape: KeyValuePairs = [
            "board": boards, "input": ["1", #""a""#, "null"], "gate": boards, "obstacle": [#""awaited""#],
            "inside": ["[]", #"[{"board":"first","input":1}]"#],
        ]
        var texts = HostileJSON(shape, seed: run.seed)
        var read = 0
        for _ in 0..<run.count {
            await run.letOthersRun()
            let text = #"{"boards":[\#(texts.next()),\#(texts.next())]}"#
            guard let snapshot = try? JSONDecoder().decode(BoardSnapshot.self, from: Data(text.utf8)) else { continue }
            read += 1
            let written = try JSONEncoder().encode(snapshot)
            #expect(try JSONDecoder().decode(BoardSnapshot.self, from: written) == snapshot, "\(run)")
            _ = motherboard().restore(snapshot)
        }
        #expect(read > run.count / 20, "too few texts are valid snapshots to prove anything, \(run)")
    }
}
