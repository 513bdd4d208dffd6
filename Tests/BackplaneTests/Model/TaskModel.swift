/// The rules of task boards (B36, B55, B76), written without regard to their implementation.
///
/// The model is an oracle: `TaskModelTests` plays random scripts on the model and on the runtime,
/// and their views must be equal. Work begins after the step that starts it, and goes on until the
/// script ends it, although it may be cancelled.
struct TaskModel {
    /// A rule that is broken on purpose, for a test of whether the scripts detect it.
    enum Fault: CaseIterable {
        /// The last joined activation receives no result.
        case joinForgets
        /// The next activation does not do the work again if its work was cancelled.
        case joinEndsWithWork
        /// The next work in line starts while cancelled work still runs.
        case queueOverlaps
        /// The previous activation stays.
        case latestKeeps
        /// A second activation waits.
        case exclusiveWaits
        /// A restore repeats work that may not be repeated.
        case restoreRepeats
    }

    private enum State: String {
        case waiting, active, completed, denied
    }

    private struct Item {
        let input: Int
        let isNested: Bool
        let hasHandle: Bool
        var state = State.waiting
    }

    /// Work in a line, with the activations that share its result.
    private struct Run {
        let input: Int
        let line: Int
        let worker: Int
        var members: [Int]
        /// The number of the work, once it has begun.
        var work: Int?
        var isOver = false
    }

    private struct Line {
        let setting: TaskSetting
        var queued: [Int] = []

        var limit: Int? {
            switch setting.strategy {
            case .concurrent(let limit): limit
            case .queue: 1
            case .latest, .exclusive, .join: nil
            }
        }
    }

    private let isGated: Bool
    private let fault: Fault?
    private var items: [Item] = []
    private var runs: [Run] = []
    private var lines: [Line] = []
    private var waiting: [Int] = []
    private var isKeeperLive = false
    /// Whether the gate board was made for the waiting activations, and has not answered yet.
    private var isKeeperMade = false
    private var works = 0
    private(set) var view = TaskView()

    init(isGated: Bool, fault: Fault? = nil) {
        self.isGated = isGated
        self.fault = fault
    }

    mutating func take(_ step: TaskStep) {
        switch step {
        case .register(let setting): lines.append(Line(setting: setting))
        case .activate(let input, let isNested): activate(input, isNested: isNested, hasHandle: true)
        case .progress(let work, let output):
            guard let run = run(of: work) else { break }
            if items[runs[run].worker].state == .active { view.heard.append("\(output)") }
        case .finish(let work, let outcome): if let run = run(of: work) { finish(run, outcome) }
        case .complete(let index):
            let handles = items.indices.filter { items[$0].hasHandle }
            if index < handles.count { complete(handles[index], "done") }
        case .completeAll: completeAll("done")
        case .answerKeeper(let isOpen): answerKeeper(isOpen)
        case .endKeeper: endKeeper()
        case .restart: restart()
        }
        begin()
        view.states = items.filter(\.hasHandle).map(\.state.rawValue)
        view.liveCount = items.count { $0.state == .active && !$0.isNested }
    }

    private func run(of work: Int) -> Int? { runs.firstIndex { $0.work == work && !$0.isOver } }

    // MARK: Activation

    private mutating func activate(_ input: Int, isNested: Bool, hasHandle: Bool) {
        items.append(Item(input: input, isNested: isNested, hasHandle: hasHandle))
        let item = items.count - 1
        guard isGated else { return enter(item) }
        waiting.append(item)
        guard waiting.count == 1 else { return }
        isKeeperMade = !isKeeperLive
        isKeeperLive = true
    }

    private mutating func enter(_ item: Int) {
        items[item].state = .active
        let line = lines.count - 1
        switch lines[line].setting.strategy {
        case .concurrent, .queue:
            lines[line].queued.append(item)
            pump(line)
        case .latest:
            let earlier = runs.filter { $0.line == line && items[$0.worker].state == .active }.map(\.worker)
            start(item, in: line)
            if fault != .latestKeeps { for item in earlier { complete(item, "cancelled") } }
        case .exclusive:
            if fault != .exclusiveWaits, runs.contains(where: { $0.line == line && !$0.isOver }) {
                end(item, "failed")
            } else {
                start(item, in: line)
            }
        case .join:
            let isEqual = { (run: Run) in
                run.line == line && run.input == self.items[item].input && !run.isOver
                    && self.items[run.worker].state == .active
            }
            if let run = runs.firstIndex(where: isEqual) {
                runs[run].members.append(item)
            } else {
                start(item, in: line)
            }
        }
    }

    private mutating func start(_ item: Int, in line: Int, with members: [Int] = []) {
        runs.append(Run(input: items[item].input, line: line, worker: item, members: members))
    }

    /// Starts the next works in line, as many as the limit allows.
    private mutating func pump(_ line: Int) {
        guard let limit = lines[line].limit else { return }
        while !lines[line].queued.isEmpty {
            let running = runs.count { run in
                let counts = fault != .queueOverlaps || items[run.worker].state == .active
                return run.line == line && !run.isOver && counts
            }
            if running >= limit { return }
            start(lines[line].queued.removeFirst(), in: line)
        }
    }

    /// Begins the works that were started, behind everything that the step has caused.
    private mutating func begin() {
        var index = 0
        while index < runs.count {
            if runs[index].work == nil, !runs[index].isOver {
                runs[index].work = works
                works += 1
                view.begun.append(runs[index].input)
            }
            index += 1
        }
    }

    // MARK: Ends

    private mutating func end(_ item: Int, _ ending: String) {
        items[item].state = .completed
        view.heard.append(ending)
    }

    private mutating func finish(_ run: Int, _ outcome: TaskStep.Outcome) {
        runs[run].isOver = true
        var receivers = [runs[run].worker] + runs[run].members
        if fault == .joinForgets, receivers.count > 1 { receivers.removeLast() }
        for item in receivers where items[item].state == .active && items[runs[run].worker].state != .denied {
            switch outcome {
            case .output(let output):
                view.heard.append("\(output)")
                end(item, "done")
            case .error: end(item, "failed")
            }
        }
        pump(runs[run].line)
    }

    private mutating func complete(_ item: Int, _ ending: String) {
        switch items[item].state {
        case .waiting: giveUp(item)
        case .active:
            end(item, ending)
            leave(item)
        case .completed, .denied: break
        }
    }

    /// Takes an activation out of its line and its run.
    private mutating func leave(_ item: Int) {
        for line in lines.indices { lines[line].queued.removeAll { $0 == item } }
        for run in runs.indices where !runs[run].isOver {
            runs[run].members.removeAll { $0 == item }
            guard runs[run].worker == item else { continue }
            // Work that has begun is cancelled, and occupies its place until it ends.
            if runs[run].work == nil { runs[run].isOver = true }
            let members = runs[run].members
            runs[run].members = []
            if let next = members.first, fault != .joinEndsWithWork {
                start(next, in: runs[run].line, with: Array(members.dropFirst()))
            }
            pump(runs[run].line)
        }
    }

    private mutating func giveUp(_ item: Int) {
        items[item].state = .completed
        waiting.removeAll { $0 == item }
        if waiting.isEmpty { leaveKeeper() }
    }

    private mutating func completeAll(_ ending: String) {
        for item in waiting where !items[item].isNested { giveUp(item) }
        for item in items.indices where items[item].state == .active && !items[item].isNested {
            complete(item, ending)
        }
    }

    // MARK: Gate

    private mutating func leaveKeeper() {
        if isKeeperMade { isKeeperLive = false }
        isKeeperMade = false
    }

    private mutating func answerKeeper(_ isOpen: Bool) {
        guard isKeeperLive, !waiting.isEmpty else { return }
        isKeeperMade = false
        let decided = waiting
        waiting = []
        for item in decided {
            if isOpen { enter(item) } else { items[item].state = .denied }
        }
    }

    private mutating func endKeeper() {
        isKeeperLive = false
        isKeeperMade = false
        for item in waiting { items[item].state = .denied }
        waiting = []
    }

    // MARK: Snapshots

    /// B76: Work that was running is repeated only if its registration says so.
    private mutating func restart() {
        let saved = items.indices.filter { items[$0].state == .active || items[$0].state == .waiting }
        let entries = saved.map { (items[$0].input, items[$0].state) }
        completeAll("done")
        for (input, state) in entries {
            let mayRepeat = lines.last?.setting.isRepeatable ?? false
            if mayRepeat || state == .waiting || fault == .restoreRepeats {
                activate(input, isNested: false, hasHandle: false)
            } else {
                view.unrestored.append("notRepeatable")
            }
        }
    }
}
