/// Finds a small script in a large one.
enum ScriptShrinker {
    /// The script without everything that can be left out while it still fails.
    static func shrink(_ script: Script, while fails: (Script) -> Bool) -> Script {
        var smallest = script
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for candidate in candidates(from: smallest) where fails(candidate) {
                smallest = candidate
                isSmaller = true
                break
            }
        }
        return smallest
    }

    /// The script without one entry, one step or one operation of a routine; later ones go first, for less depends on them.
    private static func candidates(from script: Script) -> some Sequence<Script> {
        var edits: [(inout Script) -> Void] = []
        for index in script.entries.indices.reversed() { edits.append { $0.entries.remove(at: index) } }
        for (plan, routines) in script.plans.enumerated() {
            for step in routines.whileMade.indices { edits.append { $0.plans[plan].whileMade.remove(at: step) } }
            for (index, steps) in routines.whenActivated.enumerated() {
                for step in steps.indices { edits.append { $0.plans[plan].whenActivated[index].remove(at: step) } }
            }
            for (index, steps) in routines.whenTold.enumerated() {
                for step in steps.indices { edits.append { $0.plans[plan].whenTold[index].remove(at: step) } }
            }
        }
        for (index, routine) in script.routines.enumerated() {
            for operation in routine.indices { edits.append { $0.routines[index].remove(at: operation) } }
        }
        return edits.lazy.map { edit in
            var candidate = script
            edit(&candidate)
            return candidate
        }
    }
}

extension Script: CustomStringConvertible {
    /// What is left of it, line by line.
    var description: String {
        var lines: [String] = []
        for (number, plan) in plans.enumerated() where text(of: entries).contains("plan: \(number))") {
            lines.append("plan \(number), \(plan.reuse)")
            if !plan.whileMade.isEmpty { lines.append("    while made: \(plan.whileMade)") }
            if plan.whenActivated.contains(where: { !$0.isEmpty }) {
                lines.append("    when activated: \(plan.whenActivated)")
            }
            if plan.whenTold.contains(where: { !$0.isEmpty }) { lines.append("    when told: \(plan.whenTold)") }
        }
        for (number, routine) in routines.enumerated() where !routine.isEmpty {
            lines.append("routine \(number): \(routine)")
        }
        lines += entries.map { "on motherboard \($0.motherboard): \($0.operation)" }
        return lines.joined(separator: "\n")
    }

    private func text(of entries: [Entry]) -> String { "\(entries)\(plans)\(routines)" }
}
