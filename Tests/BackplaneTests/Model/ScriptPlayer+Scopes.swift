import Backplane

/// Scopes in scripts.
extension ScriptPlayer {
    func registerScope(_ setting: ScopeSetting, on motherboard: Motherboard) {
        let input = { (output: MarkedNumber) in setting.input(for: output.number).map(MarkedNumber.init) }
        if setting.entrance == .void {
            motherboard.registerScope(
                setting.scope.counting,
                enteredBy: Name.calling,
                switching: setting.isSwitching,
                input: input
            )
        } else {
            motherboard.registerScope(
                setting.scope.counting,
                enteredBy: setting.entrance.counting,
                with: MarkedNumber(setting.question),
                switching: setting.isSwitching,
                input: input
            )
        }
    }

    func declare(_ target: some ScriptedID, inside scope: Name, on motherboard: Motherboard) {
        motherboard.declare(target.id, inside: scope.counting)
    }
}
