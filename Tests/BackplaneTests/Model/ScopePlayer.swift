import Backplane

/// An app with scopes on a real motherboard, which plays scripts: see ``ScopeModel``.
final class ScopePlayer {
    private let motherboard: Motherboard
    private let nested: Motherboard
    private let logIns = Asked<LogIn>()
    private let pickers = Asked<Picker>()
    private let keepers = Asked<Doorkeeper>()
    private let journal = Journal()
    private var activations: [Handle] = []
    private(set) var view = ScopeView()

    private struct Handle {
        let state: () -> ActivationState
        let complete: () -> Void

        init<Contract>(_ activation: Activation<Contract>) {
            state = { activation.state }
            complete = { activation.complete() }
        }
    }

    init(on motherboard: Motherboard) {
        self.motherboard = motherboard
        nested = motherboard.makeInner()
        motherboard.probe(.logIn, notedIn: logIns)
        let (journal, pickers, keepers) = (journal, pickers, keepers)
        motherboard.register(.session) { slot, account in
            journal.note(account.name)
            let inner = slot.inner
            inner.probe(.course) { _, number in journal.note("\(account.name)/course \(number)") }
            inner.probe(.third) { _, number in journal.note("\(account.name)/form \(number)") }
            inner.probe(.doorkeeper, notedIn: keepers)
            inner.gate(.third, by: .doorkeeper) { $0 ? .open : .closed }
            inner.probe(.picker, notedIn: pickers)
            inner.register(.organization) { slot, name in
                journal.note("\(account.name)/\(name)")
                slot.inner.probe(.project) { _, number in
                    journal.note("\(account.name)/\(name)/project \(number)")
                }
                return ProbeBoard(slot: slot)
            }
            inner.registerScope(.organization, enteredBy: .picker) { $0 }
            return ProbeBoard(slot: slot)
        }
        motherboard.registerScope(.session, enteredBy: .logIn) { output in
            if case .signedIn(let account) = output { account } else { nil }
        }
        motherboard.declare(.course, .third, .picker, .doorkeeper, .organization, inside: .session)
        motherboard.declare(.project, inside: .organization)
        motherboard.observe { [weak self] event in
            if event.kind == .droppedEntrance { self?.view.dropped += 1 }
        }
    }

    func take(_ step: ScopeStep) {
        switch step {
        case .activate(let target, let isNested): activate(target, on: isNested ? nested : motherboard)
        case .openLogIn: motherboard.activate(.logIn)
        case .signIn(let name): logIns.boards.last?.send(.signedIn(Account(name)))
        case .endLogIn: motherboard.complete(.logIn)
        case .pick(let name): pickers.boards.last?.send(name)
        case .endPicker: motherboard.complete(.picker)
        case .answerKeeper(let isOpen): keepers.boards.last?.send(isOpen)
        case .endKeeper: motherboard.complete(.doorkeeper)
        case .completeSession: motherboard.complete(.session)
        case .completeOrganization: motherboard.complete(.organization)
        case .complete(let index): if index < activations.count { activations[index].complete() }
        }
        view.entered = journal.lines
        view.states = activations.map { name(of: $0.state()) }
        view.live = live
    }

    private func activate(_ target: ScopeStep.Target, on motherboard: Motherboard) {
        let activation =
            switch target {
            case .course(let number): Handle(motherboard.activate(.course, with: number))
            case .project(let number): Handle(motherboard.activate(.project, with: number))
            case .form(let number): Handle(motherboard.activate(.third, with: number))
            case .organization(let name): Handle(motherboard.activate(.organization, with: name))
            case .session(let name): Handle(motherboard.activate(.session, with: Account(name)))
            }
        activations.append(activation)
    }

    private func name(of state: ActivationState) -> String {
        switch state {
        case .denied: "denied"
        default: "\(state)"
        }
    }

    private var live: [String] {
        var live: [String] = []
        if motherboard.isLive(.logIn) { live.append("logIn") }
        if motherboard.isLive(.session) { live.append("session") }
        if motherboard.isLive(.course) { live.append("course") }
        if motherboard.isLive(.third) { live.append("form") }
        if motherboard.isLive(.picker) { live.append("picker") }
        if motherboard.isLive(.doorkeeper) { live.append("keeper") }
        if motherboard.isLive(.organization) { live.append("organization") }
        if motherboard.isLive(.project) { live.append("project") }
        return live
    }
}
