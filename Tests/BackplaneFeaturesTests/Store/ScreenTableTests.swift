import Foundation
import TestSupport
import Testing

@testable import BackplaneFeatures

/// The tables of *Screen states*, against every state that the machines reach.
struct ScreenTableTests {
    /// A row of a table: all cells but the last.
    private struct Row: Hashable, CustomStringConvertible {
        let state: String
        let value: String
        let wait: String
        let ends: String

        var description: String { [state, value, wait, ends].joined(separator: " | ") }
    }

    private static let ends: [Wait: String] = [.nothing: "", .load: "value, error, cancel", .outcome: "outcome"]

    private func rows(under title: String) throws -> Set<Row> {
        let package = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        let article = "\(package)/Sources/BackplaneFeatures/BackplaneFeatures.docc/ScreenStates.md"
        let sections = try String(contentsOfFile: article, encoding: .utf8).components(separatedBy: "### ")
        let section = try #require(sections.first { $0.hasPrefix(title) })
        let lines = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        return Set(
            lines.map { line in
                let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                return Row(state: cells[1], value: cells[2], wait: cells[3], ends: cells[4])
            }
        )
    }

    private func name<Value>(of state: LoadState<Value>) -> String {
        switch state {
        case .idle: "`idle`"
        case .loading: "`loading`"
        case .loaded: "`loaded`"
        case .failed: "`failed`"
        case .deleted: "`deleted`"
        }
    }

    // MARK: Records

    /// A record, and the loads and changes that have not ended.
    private final class Playground {
        let machine = TextMachine()
        var load: LoadStamp?
        static let steps = 10

        func take(_ step: Int) {
            switch step {
            case 0: load = machine.beginLoad()
            case 1: end { _ = machine.finish($0, with: ["value"]) }
            case 2: end { machine.fail($0, Failure()) }
            case 3: end { machine.cancel($0) }
            case 4: _ = machine.append(.append("a"))
            case 5: _ = machine.append(.delete())
            case 6: settle { machine.acknowledge($0) }
            case 7: settle { machine.acknowledge($0, with: .value(["response"])) }
            case 8: settle { machine.reject($0, Refused()) }
            default: if machine.refresh() { load = machine.beginLoad() }
            }
        }

        func end(_ event: (LoadStamp) -> Void) {
            load.map(event)
            load = nil
        }

        func settle(_ event: (IdempotencyKey) -> [TextMachine.Effect]) {
            guard let first = machine.log.first else { return }
            for case .reload in event(first.mutation.id) { load = machine.beginLoad() }
        }
    }

    @Test(.rule("A19")) func `the table of a loader has every state, and each wait ends as the table says`() throws {
        var visited: Set<Row> = []
        // Nothing, a loaded value, or two changes, and then four steps.
        for prelude in [[], [0, 1], [4, 4]] {
            for number in 0..<Int(pow(Double(Playground.steps), 4)) {
                let play = Playground()
                for step in prelude { play.take(step) }
                var rest = number
                for _ in 0..<4 {
                    play.take(rest % Playground.steps)
                    rest /= Playground.steps
                }
                let (state, wait) = (play.machine.state, play.machine.awaited)
                visited.insert(
                    Row(
                        state: name(of: state),
                        value: state.value == nil ? "no" : "yes",
                        wait: wait.rawValue,
                        ends: Self.ends[wait] ?? ""
                    )
                )
                guard ends(wait, in: play, by: number) else {
                    Issue.record("The wait for \(wait.rawValue) does not end in \(number).")
                    return
                }
            }
        }
        #expect(try visited == rows(under: "A loader"))
    }

    /// Returns whether the wait ends with an event that the table names.
    private func ends(_ wait: Wait, in play: Playground, by choice: Int) -> Bool {
        switch wait {
        case .nothing: return true
        case .load: play.take(1 + choice % 3)
        case .outcome: while !play.machine.log.isEmpty { play.take(6 + choice % 3) }
        }
        // Another load may follow an outcome at once.
        return play.machine.awaited != wait
    }

    // MARK: Lists

    @Test(.rule("A19")) func `the table of a list has every state, and each load ends as the table says`() throws {
        var visited: Set<Row> = []
        let steps = 9
        for number in 0..<Int(pow(Double(steps), 4)) {
            var machine = PageStateMachine<Int, String>(logicalClock: LogicalClock())
            var (request, rest) = (nil as PageStateMachine<Int, String>.Request?, number)
            for _ in 0..<4 {
                switch rest % steps {
                case 0: request = machine.begin(.first)
                case 1: request = machine.begin(.more) ?? request
                case 2: request = machine.begin(.refresh)
                case 3: request = request.flatMap { machine.finish($0, with: ["a"], next: 1) }
                case 4: request = request.flatMap { machine.finish($0, with: ["b"], next: nil) }
                case 5: if let request { machine.fail(request, Failure()) }
                case 6: machine.cancel()
                case 7: machine.insert("x", by: IdempotencyKey())
                default: machine.settleInsertion(of: "x", isMade: false)
                }
                rest /= steps
            }
            let state = machine.state(with: machine.ids)
            visited.insert(
                Row(
                    state: name(of: state) + (machine.isPaging ? ", `isPaging`" : ""),
                    value: state.value == nil ? "no" : "yes",
                    wait: machine.awaited.rawValue,
                    ends: Self.ends[machine.awaited] ?? ""
                )
            )
            if machine.awaited == .load {
                switch number % 3 {
                case 0: machine.cancel()
                case 1: request.map { machine.fail($0, Failure()) }
                // A25, A26: Pages that bring nothing new are requested a bounded number of times.
                default: for _ in 0..<20 { request = request.flatMap { machine.finish($0, with: ["a"], next: 1) } }
                }
            }
            guard machine.awaited == .nothing else {
                Issue.record("The load does not end in \(number).")
                return
            }
        }
        #expect(try visited == rows(under: "A list"))
    }
}
