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

    /// Returns the scripts without one entry, step or operation, or with a simpler gate.
    ///
    /// Later entries are removed first, because less depends on them.
    private static func candidates(from script: Script) -> some Sequence<Script> {
        var edits: [(inout Script) -> Void] = []
        for index in script.entries.indices.reversed() { edits.append { $0.entries.remove(at: index) } }
        for (plan, steps) in script.plans.enumerated() {
            for step in steps.whileMade.indices { edits.append { $0.plans[plan].whileMade.remove(at: step) } }
            for (index, steps) in steps.whenActivated.enumerated() {
                for step in steps.indices { edits.append { $0.plans[plan].whenActivated[index].remove(at: step) } }
            }
            for (index, steps) in steps.whenTold.enumerated() {
                for step in steps.indices { edits.append { $0.plans[plan].whenTold[index].remove(at: step) } }
            }
            for step in steps.whenEnded.indices { edits.append { $0.plans[plan].whenEnded.remove(at: step) } }
        }
        for (index, routine) in script.routines.enumerated() {
            for operation in routine.indices { edits.append { $0.routines[index].remove(at: operation) } }
        }
        for (index, entry) in script.entries.enumerated() {
            guard case .gate(let setting) = entry.operation else { continue }
            for simpler in setting.simpler {
                let entry = Script.Entry(motherboard: entry.motherboard, operation: .gate(simpler))
                edits.append { $0.entries[index] = entry }
            }
        }
        return edits.lazy.map { edit in
            var candidate = script
            edit(&candidate)
            return candidate
        }
    }
}

extension GateSetting {
    /// The same gate without its condition, without one exception or with fewer verdicts.
    fileprivate var simpler: [GateSetting] {
        var settings: [GateSetting] = []
        if case .constant(let input, .some) = question {
            settings.append(self)
            settings[0].question = .constant(input, unless: nil)
        }
        for index in exceptions.indices {
            var setting = self
            setting.exceptions.remove(at: index)
            settings.append(setting)
        }
        for index in verdicts.indices where verdicts.count > 1 {
            var setting = self
            setting.verdicts.remove(at: index)
            settings.append(setting)
        }
        return settings
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
