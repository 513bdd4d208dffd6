import Backplane
import BackplaneTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct TestBoardTests {
    let motherboard = Motherboard.onMain()
    let swift = Course.ID(rawValue: "swift")
    let rust = Course.ID(rawValue: "rust")

    @Test func `a test board records inputs and commands, and sends as the board`() {
        var outputs: [Dashboard.Output] = []
        var ends: [Completion] = []
        let dashboard = TestBoard(.dashboard, on: motherboard)
        motherboard.registerFlow(from: .dashboard) { output, _ in outputs.append(output) }
        motherboard.registerCompletionFlow(.dashboard) { completion, _ in ends.append(completion) }

        #expect(dashboard.slot == nil)
        motherboard.activate(.dashboard, with: "ada")
        motherboard.activate(.dashboard, with: "grace")
        motherboard.send(.refresh, to: .dashboard)
        #expect(dashboard.inputs == ["ada", "grace"])
        #expect(dashboard.commands == [.refresh])

        dashboard.send(.open(swift))
        dashboard.complete(.cancelled)
        #expect(outputs == [.open(swift)])
        #expect(ends.map(\.isCancelled) == [true])
        #expect(dashboard.slot == nil)

        motherboard.activate(.dashboard, with: "ada")
        dashboard.complete(sending: .signedOut)
        #expect(outputs == [.open(swift), .signedOut])
        #expect(ends.map(\.isDone) == [false, true])
    }

    @Test func `completing with an output sends the output and completes in the same turn`() {
        let login = TestBoard(.login, on: motherboard)
        motherboard.registerFlow(from: .login) { _, motherboard in motherboard.activate(.login) }
        motherboard.activate(.login)
        login.complete(sending: "ada")
        #expect(login.slot != nil)
    }

    @Test func `a test board replaces the registered board and keeps gates and flows`() {
        TestBoard(.course, on: motherboard) { _, _ in Issue.record("The replaced test board was activated.") }
        motherboard.gate(.course, by: .login) { _ in .open }
        let login = TestBoard(.login, on: motherboard)
        let course = TestBoard(.course, on: motherboard)
        #expect(motherboard.activate(.course, with: swift).state == .waiting)
        login.send("ada")
        #expect(course.inputs == [swift])
    }

    @Test(.rule("B68")) func `a stand-in replaces the board of a module that is installed later`() {
        let test = TestMotherboard(observing: motherboard, exhaustive: false)
        let first = test.stub(.course)
        let course = test.stub(.course)
        let login = TestBoard(.login, on: motherboard)
        motherboard.install(Lessons())
        motherboard.activate(.course, with: swift)
        motherboard.activate(.login)
        #expect(first.inputs.isEmpty)
        #expect(course.inputs == [swift])
        #expect(login.slot != nil)
    }

    @Test(.rule("B68")) func `a nested stand-in, or a later registration that replaces, overrides the stand-in`() {
        let course = TestBoard(.course, on: motherboard)
        TestBoard(.dashboard, on: motherboard) { _, slot in
            TestBoard(.course, on: slot.inner)
            slot.inner.activate(.course, with: Course.ID(rawValue: "inner"))
        }
        motherboard.activate(.dashboard, with: "ada")
        #expect(course.inputs.isEmpty)

        var made = 0
        motherboard.register(.course, replacing: true) { slot in
            made += 1
            return Lesson(slot: slot)
        }
        motherboard.activate(.course, with: swift)
        #expect(made == 1)
        #expect(course.inputs.isEmpty)
    }

    @Test func `a test board runs its activation and command closures`() {
        let login = TestBoard(.login, on: motherboard) { _, slot in slot.send("ada") }
        let dashboard = TestBoard(.dashboard, on: motherboard)
        motherboard.registerFlowSteps(.login ->>> .dashboard)
        motherboard.activate(.login)
        login.onActivate = { _, slot in slot.complete(sending: "grace") }
        motherboard.activate(.login)
        #expect(dashboard.inputs == ["ada", "grace"])

        dashboard.onCommand = { command, slot in if command == .refresh { slot.send(.signedOut) } }
        let test = TestMotherboard(observing: motherboard)
        motherboard.send(.refresh, to: .dashboard)
        test.expect(.command(.dashboard, .refresh), .unhandledOutput(.dashboard, .signedOut))
    }

    @Test func `a per-activation stand-in sends from the last live board, or through a slot`() {
        let course = TestBoard(.course, on: motherboard, reuse: .perActivation)
        let test = TestMotherboard(observing: motherboard)
        motherboard.activate(.course, with: swift)
        motherboard.activate(.course, with: rust)
        motherboard.activate(.course, with: swift)
        #expect(course.slots.map(\.isLive) == [true, true, true])
        course.complete()
        #expect(course.slots.map(\.isLive) == [true, true, false])
        course.slots[0].complete()
        #expect(course.slots.map(\.isLive) == [false, true, false])
        course.complete()
        #expect(course.slot == nil)
        test.expect(
            .activated(.course, with: swift),
            .activated(.course, with: rust),
            .activated(.course, with: swift),
            .completed(.course),
            .completed(.course),
            .completed(.course)
        )
    }

    @Test func `a test board stands in for boards of nested motherboards`() {
        let login = TestBoard(.login, on: motherboard)
        TestBoard(.dashboard, on: motherboard) { _, slot in slot.inner.activate(.login) }
        let test = TestMotherboard(observing: motherboard)
        motherboard.activate(.dashboard, with: "ada")
        login.send("ada")
        test.expect(.activated(.dashboard), .activated(.login), .unhandledOutput(.login, "ada").inside(.dashboard))
    }

    @Test func `sending or completing without a live board fails the test at the line of the call`() {
        let login = TestBoard(.login, on: motherboard)
        let line = #line + 2
        let failures = failures {
            login.send("ada")
            motherboard.activate(.login)
            login.complete()
            login.complete()
            login.complete(sending: "ada")
        }
        #expect(
            failures.map(\.message) == [
                "'login' cannot send an output: it has not been activated. Activate it first.",
                "'login' cannot complete: the last board of it has ended. Activate it first.",
                "'login' cannot complete: the last board of it has ended. Activate it first.",
            ]
        )
        #expect(failures.map(\.line) == [line, line + 3, line + 4])
    }
}

/// A module that uses both forms of `register`.
private struct Lessons: BoardModule {
    func register(on motherboard: Motherboard) {
        motherboard.register(.course) { slot in
            Issue.record("The module created its course board although a stand-in is registered.")
            return Lesson(slot: slot)
        }
        motherboard.register(.login) { slot, _ in
            Issue.record("The module created its login board although a stand-in is registered.")
            return Entrance(slot: slot)
        }
    }
}

private struct Lesson: Board {
    let slot: Slot<CoursePage>
    func activate(with input: Course.ID) {}
}

private struct Entrance: Board {
    let slot: Slot<Login>
    func activate(with input: Void) {}
}
