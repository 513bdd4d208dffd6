import Backplane

/// A board that follows its plan.
final class ScriptedBoard<Contract: ScriptedContract>: Board {
    let slot: Slot<Contract>
    private let number: Int
    private let plan: Plan
    private let player: ScriptPlayer

    init(slot: Slot<Contract>, input: Int?, name: Name, plan: Int, player: ScriptPlayer) {
        self.slot = slot
        self.plan = player.script.plans[plan]
        self.player = player
        number = player.slots.count
        player.boardsAlive += 1
        player.slots.append((name, slot))
        player.note(.made(board: number, name, plan: plan, input: input))
        // The motherboard of a scope is numbered, although only boards inside may use it.
        if name.isScope || player.restores { _ = player.number(of: slot.inner) }
        for step in self.plan.whileMade { player.perform(step, as: slot) }
    }

    deinit {
        player.boardsAlive -= 1
    }

    func activate(with input: Contract.Input) {
        let input = Contract.number(input)
        player.note(.activated(board: number, input))
        for step in plan.whenActivated.around(input) ?? [] { player.perform(step, as: slot) }
    }

    func receive(_ command: Int) {
        player.note(.told(board: number, command))
        for step in plan.whenTold.around(command) ?? [] { player.perform(step, as: slot) }
    }

    func didEnd(_ completion: Completion) {
        player.note(.ended(board: number, Ending(completion)))
        for step in plan.whenEnded { player.perform(step, as: slot) }
    }
}

extension ScriptPlayer {
    func register<ID: ScriptedID>(_ name: Name, _ target: ID, plan: Int, on motherboard: Motherboard) {
        let reuse = script.plans[plan].reuse
        if reuse == .perInput {
            motherboard.register(target.id, replacing: true) { slot, input in
                ScriptedBoard(slot: slot, input: ID.Contract.number(input), name: name, plan: plan, player: self)
            }
        } else {
            let reuse: BoardReuse = reuse == .shared ? .shared : .perActivation
            motherboard.register(target.id, reuse: reuse, replacing: true) { slot in
                ScriptedBoard(slot: slot, input: nil, name: name, plan: plan, player: self)
            }
        }
    }
}
