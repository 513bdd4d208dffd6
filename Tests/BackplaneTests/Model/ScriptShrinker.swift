/// A search for a small script that fails like a large script.
enum ScriptShrinker {
    /// Returns the script without the parts that its failure does not need.
    static func shrink(
        _ script: Script,
        isolation: isolated (any Actor)? = #isolation,
        while fails: (Script) async -> Bool
    ) async -> Script {
        var smallest = script
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for candidate in candidates(from: smallest) {
                guard await fails(candidate) else { continue }
                smallest = candidate
                isSmaller = true
                break
            }
        }
        return smallest
    }

    /// Returns the scripts without one entry, step or operation.
    ///
    /// Later entries are removed first, because less depends on them.
    private static func candidates(from script: Script) -> some Sequence<Script> {
        var edits: [(inout Script) -> Void] = []
        func remove<Element>(eachOf list: WritableKeyPath<Script, [Element]>) {
            for index in script[keyPath: list].indices.reversed() {
                edits.append { $0[keyPath: list].remove(at: index) }
            }
        }
        remove(eachOf: \.entries)
        for (plan, steps) in script.plans.enumerated() {
            remove(eachOf: \.plans[plan].whileMade)
            for input in steps.whenActivated.indices { remove(eachOf: \.plans[plan].whenActivated[input]) }
            for command in steps.whenTold.indices { remove(eachOf: \.plans[plan].whenTold[command]) }
            remove(eachOf: \.plans[plan].whenEnded)
        }
        for routine in script.routines.indices { remove(eachOf: \.routines[routine]) }
        return edits.lazy.map { edit in
            var candidate = script
            edit(&candidate)
            return candidate
        }
    }
}

extension Script: CustomStringConvertible {
    /// The used plans, the routines and the entries, line by line.
    var description: String {
        var lines: [String] = []
        for (number, plan) in plans.enumerated() where text(of: entries).contains("plan: \(number))") {
            lines.append("plan \(number), \(plan.reuse)")
            if !plan.whileMade.isEmpty { lines.append("    while made: \(plan.whileMade)") }
            if plan.whenActivated.contains(where: { !$0.isEmpty }) {
                lines.append("    when activated: \(plan.whenActivated)")
            }
            if plan.whenTold.contains(where: { !$0.isEmpty }) { lines.append("    when told: \(plan.whenTold)") }
            if !plan.whenEnded.isEmpty { lines.append("    when ended: \(plan.whenEnded)") }
        }
        for (number, routine) in routines.enumerated() where !routine.isEmpty {
            lines.append("routine \(number): \(routine)")
        }
        lines += entries.map { "on motherboard \($0.motherboard): \($0.operation)" }
        return lines.joined(separator: "\n")
    }

    private func text(of entries: [Entry]) -> String { "\(entries)\(plans)\(routines)" }
}
