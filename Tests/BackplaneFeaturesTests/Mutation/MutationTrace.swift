import BackplaneTesting
import TestSupport

@testable import BackplaneFeatures

/// A random sequence of events between a record and a server, checked after every step.
///
/// The seed makes every decision except the shape of the value, which the caller chooses.
struct MutationTrace<Shape: TraceShape> {
    private typealias Server = ModelServer<Shape.Value>

    private struct Request {
        let mutation: Mutation<Shape.Value>
        let session: Int
    }

    private struct Response {
        let id: IdempotencyKey
        let answer: Server.Answer
    }

    private struct Reading {
        let load: LoadStamp
        /// Whether the load is of a page with the record, and not started by the record.
        let isPage: Bool
        /// The server's response, once it exists.
        var answer: (value: Shape.Value, revision: Int?)??
        let session: Int
    }

    private enum Step: Int, CaseIterable {
        case mutate, handle, handleAgain, deliver, deliverAgain, loseResponse, loseRequest, resend, resendAgain
        case load, read, readAgain, land, landAgain, failLoad, cancelLoad, page, release, somebodyElse, session
    }

    private var generator: SeededGenerator
    private let logicalClock = LogicalClock()
    private var machine: RecordStateMachine<Shape.Value>
    private let hasRevisions: Bool
    /// Whether other clients write to the record as well.
    private let isShared: Bool

    private var session = 0
    private var server: Server
    private var requests: [Request] = []
    private var responses: [Response] = []
    private var readings: [Reading] = []
    /// Mutations whose outcome is unknown.
    private var resends: [IdempotencyKey] = []

    private var numbers: [IdempotencyKey: Int] = [:]
    /// The pending mutations in the order of their creation.
    private var pending: [Mutation<Shape.Value>] = []
    /// The initial value with all acknowledged mutations applied in order.
    private var acknowledged = RecordContent.present(Shape.initial)
    /// The mutation that may be contained in the first value, which is shown nevertheless, until a
    /// load replaces that value (A20).
    private var uncertain: (mutation: IdempotencyKey, load: LoadStamp)?
    private var done: [Int] = []
    private var failed: [Int] = []
    private var settled: Set<IdempotencyKey> = []
    private let journal: Journal
    private var problem: String?

    init(seed: UInt64, keepsJournal: Bool = false) {
        journal = Journal(isKept: keepsJournal)
        generator = SeededGenerator(seed: seed)
        machine = RecordStateMachine(logicalClock: logicalClock)
        hasRevisions = generator.chance(50)
        isShared = generator.chance(30)
        server = Server(Shape.initial, hasRevisions: hasRevisions)
    }

    /// Runs the trace and returns a report of a violation of A13; `nil` if A13 holds.
    mutating func play(steps: Int) -> String? {
        if generator.chance(30) { loadPage() }
        if generator.chance(80) { load() }
        for _ in 0..<steps {
            let before = journal.count
            take(Step.allCases[generator.below(Step.allCases.count)])
            if journal.count > before { check() }
            if problem != nil { return report() }
        }
        rest()
        return problem == nil ? nil : report()
    }

    private func report() -> String {
        """
        \(Shape.self)\(hasRevisions ? ", with revisions" : "")\(isShared ? ", with other writers" : "")
        \(journal.lines.joined(separator: "\n"))
        \(problem ?? "")
        """
    }
}

// MARK: - Steps

extension MutationTrace {
    private mutating func take(_ step: Step) {
        switch step {
        case .mutate: if numbers.count < 10 { mutate() }
        case .handle, .handleAgain: if !requests.isEmpty { handle(generator.below(requests.count)) }
        case .deliver, .deliverAgain: if !responses.isEmpty { deliver(generator.below(responses.count)) }
        case .loseResponse: if !responses.isEmpty { lose(responses.remove(at: generator.below(responses.count)).id) }
        case .loseRequest:
            guard let request = requests.last, request.session == session else { return }
            // The lost request may still arrive later.
            if generator.chance(50) { requests.removeLast() }
            lose(request.mutation.id)
        case .resend, .resendAgain: if !resends.isEmpty { resend() }
        case .load: load()
        case .read, .readAgain: if !readings.isEmpty { read(generator.below(readings.count)) }
        case .land, .landAgain: if !readings.isEmpty { land(generator.below(readings.count)) }
        case .failLoad:
            guard let reading = takeReading() else { return }
            journal.note("load \(reading.load.number) fails")
            if !reading.isPage { machine.fail(reading.load, Refused()) }
        case .cancelLoad:
            guard let reading = takeReading() else { return }
            journal.note("load \(reading.load.number) is cancelled")
            if !reading.isPage { machine.cancel(reading.load) }
        case .page: loadPage()
        case .release: release()
        case .somebodyElse:
            guard isShared else { return }
            journal.note("another client writes")
            server.change { Shape.writeOfSomebodyElse(&$0) }
        case .session: if generator.chance(10) { beginSession() }
        }
    }

    private mutating func mutate() {
        let number = numbers.count
        var intent = Shape.intent(of: number, leavesTraces: isShared, using: &generator)
        if !isShared, generator.chance(5) { intent = .delete }
        if !isShared, generator.chance(5) { intent = .replace(Shape.initial) }
        let dependencies: Set<IdempotencyKey> =
            if generator.chance(10), let last = pending.last { [last.id] } else { [] }
        let mutation = Mutation<Shape.Value>(
            intent,
            id: IdempotencyKey(using: &generator),
            dependencies: dependencies
        ) { _ in .done }
        numbers[mutation.id] = number
        journal.note("mutation \(number) is created\(dependencies.isEmpty ? "" : " and depends on the previous one")")
        // A mutation that replaces another is visible instead of it. The replaced mutation still
        // gets an outcome.
        pending.append(mutation)
        perform(machine.append(mutation))
    }

    private mutating func handle(_ index: Int) {
        let request = requests.remove(at: index)
        // A request of another session was sent to another server.
        guard request.session == session else { return }
        let answer = server.handle(
            request.mutation,
            isWelcome: generator.chance(75),
            returnsValue: generator.chance(50)
        )
        journal.note("the server handles mutation \(numbers[request.mutation.id] ?? -1): \(answer)")
        responses.append(Response(id: request.mutation.id, answer: answer))
    }

    private mutating func deliver(_ index: Int) {
        let response = responses.remove(at: index)
        journal.note("the response to mutation \(numbers[response.id] ?? -1) is delivered: \(response.answer)")
        switch response.answer {
        case .done(let value, let revision):
            // Some endpoints return a value without its revision.
            let revision = generator.chance(80) ? revision : nil
            perform(machine.acknowledge(response.id, with: value, revision: revision))
        case .refused: perform(machine.reject(response.id, Refused()))
        }
    }

    private mutating func lose(_ id: IdempotencyKey) {
        journal.note("the response to mutation \(numbers[id] ?? -1) is lost")
        // The record knows of no attempts: it only waits for the outcome.
        if machine.log.first?.mutation.id == id { resends.append(id) }
    }

    private mutating func resend() {
        let id = resends.removeFirst()
        guard let first = machine.log.first?.mutation, first.id == id else { return }
        journal.note("mutation \(numbers[id] ?? -1) is sent again")
        requests.append(Request(mutation: first, session: session))
    }

    private mutating func load() {
        let load = machine.beginLoad()
        journal.note("load \(load.number) begins")
        readings.append(Reading(load: load, isPage: false, answer: nil, session: session))
    }

    /// Starts the load of a page.
    ///
    /// The record does not know of the load and may not exist yet.
    private mutating func loadPage() {
        let load = logicalClock.startLoad()
        journal.note("load \(load.number), of a page, begins")
        readings.append(Reading(load: load, isPage: true, answer: nil, session: session))
    }

    /// Releases the record as the store does when no mutation is pending.
    ///
    /// A new record replaces it.
    private mutating func release() {
        guard machine.log.isEmpty, generator.chance(30) else { return }
        journal.note("the record is released")
        machine = RecordStateMachine(logicalClock: logicalClock, lastSettlement: machine.lastSettlement)
        readings.removeAll { !$0.isPage }
    }

    private mutating func takeReading() -> Reading? {
        guard !readings.isEmpty, generator.chance(30) else { return nil }
        return readings.remove(at: generator.below(readings.count))
    }

    private mutating func read(_ index: Int) {
        guard readings[index].answer == nil, readings[index].session == session else { return }
        journal.note("load \(readings[index].load.number) gets a response")
        readings[index].answer = .some(server.read())
    }

    private mutating func land(_ index: Int) {
        guard let answer = readings[index].answer else { return }
        let reading = readings.remove(at: index)
        let load = reading.load
        journal.note("load \(load.number) lands: \(answer.map { "\($0)" } ?? "no record")")
        if let answer {
            perform(machine.finish(load, with: answer.value, revision: answer.revision))
            if machine.isSendOpen, machine.hasWritten(load), let first = machine.log.first {
                uncertain = (first.mutation.id, load)
            }
        } else if !reading.isPage {
            machine.fail(load, Refused())
        }
    }

    /// Starts the session of another user.
    ///
    /// Running work continues and its results still arrive.
    private mutating func beginSession() {
        journal.note("a new session begins")
        logicalClock.beginEpoch()
        perform(machine.beginEpoch())
        session += 1
        server = Server(Shape.initial, hasRevisions: hasRevisions)
        acknowledged = .present(Shape.initial)
        done = []
        failed = Array(numbers.values)
        resends = []
        uncertain = nil
        if !pending.isEmpty { problem = "Mutations of the previous session were not settled." }
    }

    private mutating func perform(_ effects: [RecordStateMachine<Shape.Value>.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let mutation):
                journal.note("  mutation \(numbers[mutation.id] ?? -1) is sent")
                requests.append(Request(mutation: mutation, session: session))
            case .reload: load()
            case .settle(let ids, let outcome): for id in ids { settle(id, outcome, last: ids.last) }
            }
        }
    }

    private mutating func settle(_ id: IdempotencyKey, _ outcome: MutationOutcome, last: IdempotencyKey?) {
        let number = numbers[id] ?? -1
        journal.note("  mutation \(number) is settled: \(outcome)")
        if !settled.insert(id).inserted { problem = "Mutation \(number) was settled twice." }
        if let last, !isTruth(outcome, about: last) { problem = "Mutation \(number) got a wrong outcome." }
        guard let index = pending.firstIndex(where: { $0.id == id }) else { return }
        let mutation = pending.remove(at: index)
        if case .acknowledged = outcome {
            // A replaced mutation was never sent.
            if id == last {
                try? mutation.intent.apply(to: &acknowledged)
                done.append(number)
            }
        } else {
            failed.append(number)
        }
    }
}

// MARK: - Invariants

extension MutationTrace {
    /// Returns whether the outcome matches the server: performed, rejected or never sent.
    private func isTruth(_ outcome: MutationOutcome, about id: IdempotencyKey) -> Bool {
        switch (outcome, server.answers[id]) {
        case (.acknowledged, .done), (.rejected, .refused), (.sessionEnded, _): true
        case (.targetMissing, nil), (.dependencyFailed, nil): true
        default: false
        }
    }

    private mutating func check() {
        let visible = machine.visible
        if case .notLoaded = visible { return }
        if let uncertain, !machine.hasWritten(uncertain.load) { self.uncertain = nil }
        if isShared {
            checkTraces(in: visible)
        } else if uncertain == nil {
            checkEquality(of: visible)
        } else {
            check(failed, in: visible.value, count: 0)
        }
    }

    /// Checks that the visible value is the acknowledged and pending mutations, each applied once.
    ///
    /// There are no other writers.
    private mutating func checkEquality(of visible: RecordContent<Shape.Value>) {
        var expected = acknowledged
        for mutation in pending { try? mutation.intent.apply(to: &expected) }
        if expected.value != visible.value {
            problem = "The visible value is \(visible), but \(expected) is expected."
        }
    }

    /// Checks that each operation of the trace is visible as often as expected.
    ///
    /// There are other writers.
    private mutating func checkTraces(in visible: RecordContent<Shape.Value>) {
        check(done, in: visible.value, count: 1)
        check(pending.compactMap { numbers[$0.id] }, in: visible.value, count: 1)
        check(failed, in: visible.value, count: 0)
    }

    private mutating func check(_ operations: [Int], in value: Shape.Value?, count: Int) {
        guard let value else { return }
        for operation in operations {
            guard let found = Shape.occurrences(of: operation, in: value), found != count else { continue }
            if found == 2, count == 1, uncertain.map({ numbers[$0.mutation] }) == operation { continue }
            problem = "Operation \(operation) is visible \(found) times in \(value) instead of \(count) times."
        }
    }

    /// Ends all running work without further losses.
    private mutating func rest() {
        journal.note("all running work ends")
        while problem == nil {
            if !requests.isEmpty {
                handle(0)
            } else if !responses.isEmpty {
                deliver(0)
            } else if !resends.isEmpty {
                resend()
            } else if let index = readings.firstIndex(where: { $0.session == session }) {
                read(index)
                land(index)
            } else {
                break
            }
            check()
        }
        guard problem == nil else { return }
        if !pending.isEmpty { problem = "Mutations were not settled." }
        let isUnknown = if case .notLoaded = machine.visible { true } else { false }
        if isShared || isUnknown {
            load()
            read(readings.count - 1)
            land(readings.count - 1)
        }
        if machine.visible.value != server.content.value {
            problem = "At the end, the visible value is \(machine.visible), but the server has \(server.content)."
        }
        if machine.isLoading { problem = "At the end, the record is still loading." }
    }

    private struct Refused: Error {}
}

/// A readable journal of a trace, kept only for a report because the text takes longer than the
/// trace.
private final class Journal {
    private(set) var lines: [String] = []
    private(set) var count = 0
    private let isKept: Bool

    init(isKept: Bool) {
        self.isKept = isKept
    }

    func note(_ text: @autoclosure () -> String) {
        count += 1
        if isKept { lines.append(text()) }
    }
}
