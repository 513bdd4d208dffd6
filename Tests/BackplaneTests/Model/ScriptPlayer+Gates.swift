import Backplane

/// Gates in scripts.
extension ScriptPlayer {
    func set(_ setting: GateSetting, on motherboard: Motherboard) {
        let number = number(of: motherboard)
        let replaces = gates[number, default: []].contains { $0.isSame(as: setting) }
        gates[number, default: []].append(setting)
        switch (setting.behind, setting.question) {
        case (let behind?, .constant(let input, let condition)):
            gate(behind.id, by: setting, input, unless(condition), replacing: replaces, on: motherboard)
        case (let behind?, .table(let inputs)):
            gate(behind.id, by: setting, inputs, replacing: replaces, on: motherboard)
        case (nil, .constant(let input, let condition)):
            gateAll(by: setting, input, unless(condition), replacing: replaces, on: motherboard)
        case (nil, .table):
            preconditionFailure("A general gate cannot ask a question by input.")
        }
    }

    private func unless(_ condition: Int?) -> (() -> Bool)? {
        condition.map { condition in { self.conditions[condition] } }
    }

    private func gate(
        _ behind: some ScriptedID,
        by setting: GateSetting,
        _ input: Int,
        _ unless: (() -> Bool)?,
        replacing: Bool,
        on motherboard: Motherboard
    ) {
        if setting.gateBoard == .void {
            motherboard.gate(behind.id, by: Name.calling, unless: unless, replacing: replacing) {
                setting.verdict(on: $0.number)
            }
        } else {
            let gateBoard = setting.gateBoard.counting
            motherboard.gate(behind.id, by: gateBoard, with: MarkedNumber(input), unless: unless, replacing: replacing)
            {
                setting.verdict(on: $0.number)
            }
        }
    }

    private func gate<Behind: ScriptedID>(
        _ behind: Behind,
        by setting: GateSetting,
        _ inputs: [Int?],
        replacing: Bool,
        on motherboard: Motherboard
    ) {
        func set<GateBoard: ScriptedID>(by gateBoard: GateBoard) {
            motherboard.gate(
                behind.id,
                by: gateBoard.id,
                asking: { (inputs.around(Behind.Contract.number($0)) ?? nil).map(GateBoard.Contract.input) },
                replacing: replacing,
                verdict: { setting.verdict(on: $0.number) }
            )
        }
        if setting.gateBoard == .void { set(by: Name.calling) } else { set(by: setting.gateBoard.counting) }
    }

    private func gateAll(
        by setting: GateSetting,
        _ input: Int,
        _ unless: (() -> Bool)?,
        replacing: Bool,
        on motherboard: Motherboard
    ) {
        func set<each Exception: ScriptedID>(except exceptions: repeat each Exception) {
            if setting.gateBoard == .void {
                motherboard.gateAll(
                    by: Name.calling,
                    except: repeat (each exceptions).id,
                    unless: unless,
                    replacing: replacing
                ) { setting.verdict(on: $0.number) }
            } else {
                motherboard.gateAll(
                    by: setting.gateBoard.counting,
                    with: MarkedNumber(input),
                    except: repeat (each exceptions).id,
                    unless: unless,
                    replacing: replacing
                ) { setting.verdict(on: $0.number) }
            }
        }
        func setExcept(_ first: some ScriptedID) { set(except: first) }
        func setExcept(_ first: some ScriptedID, _ second: some ScriptedID) { set(except: first, second) }
        let names = setting.exceptions
        switch names.count {
        case 0: set()
        case 1: setExcept(names[0].id)
        default: setExcept(names[0].id, names[1].id)
        }
    }
}
