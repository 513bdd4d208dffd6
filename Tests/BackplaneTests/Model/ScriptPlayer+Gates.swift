import Backplane

/// Gates and scopes in scripts.
extension ScriptPlayer {
    func set(_ setting: GateSetting, on motherboard: Motherboard) {
        let number = number(of: motherboard)
        let replaces = gates[number, default: []].contains { $0.isSame(as: setting) }
        gates[number, default: []].append(setting)
        set(setting, by: setting.gateBoard.id, replacing: replaces, on: motherboard)
    }

    private func set<GateBoard: ScriptedID>(
        _ setting: GateSetting,
        by gateBoard: GateBoard,
        replacing: Bool,
        on motherboard: Motherboard
    ) {
        let input = GateBoard.Contract.input
        let verdict = { (output: MarkedNumber) in setting.verdict(on: output.number) }
        func unless(_ condition: Int?) -> (() -> Bool)? { condition.map { number in { self.conditions[number] } } }
        func gate<Behind: ScriptedID>(_ behind: Behind) {
            switch setting.question {
            case .constant(let constant, let condition):
                motherboard.gate(
                    behind.id,
                    by: gateBoard.id,
                    with: input(constant),
                    unless: unless(condition),
                    replacing: replacing,
                    verdict: verdict
                )
            case .table(let inputs):
                motherboard.gate(
                    behind.id,
                    by: gateBoard.id,
                    asking: { (inputs.around(Behind.Contract.number($0)) ?? nil).map(input) },
                    replacing: replacing,
                    verdict: verdict
                )
            }
        }
        func gateAll<each Exception: ScriptedID>(except exceptions: repeat each Exception) {
            guard case .constant(let constant, let condition) = setting.question else {
                preconditionFailure("A general gate cannot ask a question by input.")
            }
            motherboard.gateAll(
                by: gateBoard.id,
                with: input(constant),
                except: repeat (each exceptions).id,
                unless: unless(condition),
                replacing: replacing,
                verdict: verdict
            )
        }
        func gateAllBut(_ first: some ScriptedID) { gateAll(except: first) }
        func gateAllBut(_ first: some ScriptedID, _ second: some ScriptedID) { gateAll(except: first, second) }
        let names = setting.exceptions
        switch (setting.behind, names.count) {
        case (let behind?, _): gate(behind.id)
        case (nil, 0): gateAll()
        case (nil, 1): gateAllBut(names[0].id)
        case (nil, _): gateAllBut(names[0].id, names[1].id)
        }
    }

    func registerScope<Entrance: ScriptedID>(_ setting: ScopeSetting, _ entrance: Entrance, on motherboard: Motherboard)
    {
        motherboard.registerScope(
            setting.scope.counting,
            enteredBy: entrance.id,
            with: Entrance.Contract.input(setting.question),
            switching: setting.isSwitching,
            input: { setting.input(for: $0.number).map(MarkedNumber.init) }
        )
    }

    func declare(_ target: some ScriptedID, inside scope: Name, on motherboard: Motherboard) {
        motherboard.declare(target.id, inside: scope.counting)
    }
}
