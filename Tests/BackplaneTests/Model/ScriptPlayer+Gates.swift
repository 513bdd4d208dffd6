import Backplane

/// Gates in scripts.
extension ScriptPlayer {
    func gate<Front: ScriptedID>(
        _ target: some ScriptedID,
        by front: Front,
        _ input: Int,
        _ verdicts: [GateVerdict],
        on motherboard: Motherboard
    ) {
        motherboard.gate(target.id, by: front.id, with: Front.Contract.input(input)) { output in
            verdicts.around(output) ?? .undecided
        }
    }

    func gateAll<Front: ScriptedID>(
        by front: Front,
        _ input: Int,
        except names: [Name],
        _ verdicts: [GateVerdict],
        on motherboard: Motherboard
    ) {
        func set<each Exception: ScriptedID>(except exceptions: repeat each Exception) {
            let input = Front.Contract.input(input)
            motherboard.gateAll(by: front.id, with: input, except: repeat (each exceptions).id) { output in
                verdicts.around(output) ?? .undecided
            }
        }
        func setExcept(_ first: some ScriptedID) { set(except: first) }
        func setExcept(_ first: some ScriptedID, _ second: some ScriptedID) { set(except: first, second) }
        switch names.count {
        case 0: set()
        case 1: setExcept(names[0].id)
        default: setExcept(names[0].id, names[1].id)
        }
    }
}
