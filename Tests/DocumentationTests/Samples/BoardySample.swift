// The samples of Sources/Backplane/Backplane.docc/ComingFromBoardy.md, with tests.

import Backplane
import BackplaneTesting
import Testing

enum Dashboard: BoardContract { typealias Output = String }

enum NewFeature: BoardContract {
    typealias Input = String
    typealias Output = Int
    enum Command { case refresh(value: String) }
}

enum AnotherFeature: BoardContract { typealias Input = Int }

enum Authentication: BoardContract { typealias Output = Bool }

enum AppAction: BoardFlowAction { case returnHome }

@MainActor protocol NewFeatureControllable: AnyObject {
    func refresh(withValue text: String)
}

@MainActor protocol NewFeatureDelegate: AnyObject {
    func featureDidFinish(with number: Int)
}

@MainActor final class NewFeatureBoard: Board {
    typealias Build = (String, any NewFeatureDelegate) -> any NewFeatureControllable

    let slot: Slot<NewFeature>
    private let build: Build
    private let commands: Bus<NewFeature.Command>

    init(slot: Slot<NewFeature>, build: @escaping Build) {
        self.slot = slot
        self.build = build
        commands = Bus(for: slot)
    }

    func activate(with input: String) {
        commands.connect(build(input, self)) { controller, command in
            switch command {
            case .refresh(let text): controller.refresh(withValue: text)
            }
        }
    }

    func receive(_ command: NewFeature.Command) { commands.send(command) }
}

extension NewFeatureBoard: NewFeatureDelegate {
    func featureDidFinish(with number: Int) {
        send(number)
        complete()
    }
}

@MainActor private final class Component: NewFeatureControllable {
    weak var delegate: (any NewFeatureDelegate)?
    private(set) var texts: [String] = []

    func refresh(withValue text: String) { texts.append(text) }
}

@MainActor private final class Root {
    private(set) var returns = 0
    private(set) var texts: [String] = []
    func returnHere() { returns += 1 }
    func doSomething(_ text: String) { texts.append(text) }
}

@MainActor struct BoardySample {
    private let motherboard = Motherboard.onMain()

    @Test func `a component receives commands through a bus and sends outputs through a delegate`() {
        let component = Component()
        motherboard.register { slot in
            NewFeatureBoard(slot: slot) { _, delegate in
                component.delegate = delegate
                return component
            }
        }
        var numbers: [Int] = []
        motherboard.registerFlow(from: NewFeature.id) { number, _ in numbers.append(number) }
        let activation = motherboard.activate(NewFeature.id, with: "one")

        motherboard.send(.refresh(value: "two"), to: NewFeature.id)
        #expect(component.texts == ["two"])

        component.delegate?.featureDidFinish(with: 3)
        #expect(numbers == [3])
        #expect(activation.state == .completed)
        #expect(component.delegate == nil)
    }

    @Test func `flows, chains and actions are typed`() {
        let root = Root()
        TestBoard(Dashboard.id, on: motherboard) { _, slot in slot.send("open") }
        TestBoard(NewFeature.id, on: motherboard) { _, slot in slot.send(3) }
        let another = TestBoard(AnotherFeature.id, on: motherboard)

        motherboard.registerFlow(from: Dashboard.id, weak: root) { root, output in root.doSomething(output) }
        motherboard.registerFlowSteps(Dashboard.id ->>> NewFeature.id ->>> AnotherFeature.id)
        motherboard.registerGeneralFlow(weak: root) { (root, action: AppAction) in
            switch action {
            case .returnHome: root.returnHere()
            }
        }

        motherboard.activate(Dashboard.id)
        #expect(root.texts == ["open"])
        #expect(another.inputs == [3])
        motherboard.sendAction(AppAction.returnHome)
        #expect(root.returns == 1)
    }

    @Test(arguments: [true, false])
    func `the output of a gate board opens or closes the gate`(isAuthenticated: Bool) {
        TestBoard(Authentication.id, on: motherboard) { _, slot in slot.send(isAuthenticated) }
        let feature = TestBoard(NewFeature.id, on: motherboard)
        motherboard.gate(NewFeature.id, by: Authentication.id) { isAuthenticated in
            isAuthenticated ? .open : .closed
        }
        let activation = motherboard.activate(NewFeature.id, with: "one")
        #expect((activation.state == .active) == isAuthenticated)
        #expect((feature.slot != nil) == isAuthenticated)
    }
}
