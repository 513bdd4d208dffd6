import BackplaneTesting
import TestSupport

/// A trace as data: the app, and what the user, the server and the time do to it.
///
/// A plan without some of its steps is a plan, too, so a failing plan can be shortened.
struct LivenessPlan: Sendable {
    enum Stores: CaseIterable, Sendable {
        /// A store for each loader and each list.
        case own
        /// Two windows with one store.
        case one
        /// Two windows with a store each, whose loaders share their loads.
        case two
    }

    enum Action: Sendable {
        case load, reload, retry, cancel, loadMore, leave, wait
        case mark, set, delete, insert, dismiss, retryPending
        case refresh, signal
        case answer, serve, interfere, tick

        /// All actions, as often as they shall happen in a hundred steps.
        static let frequencies: [(Action, Int)] = [
            (.answer, 37), (.load, 8), (.reload, 6), (.retry, 4), (.cancel, 4), (.loadMore, 5), (.leave, 2), (.wait, 3),
            (.mark, 5), (.set, 4), (.delete, 3), (.insert, 4), (.dismiss, 3), (.retryPending, 2), (.refresh, 4),
            (.signal, 2), (.serve, 2), (.interfere, 2), (.tick, 3),
        ]
    }

    struct Step: Sendable {
        let action: Action
        /// The section of the screen, or the open request.
        let place: Int
        /// The further choice that the action needs.
        let choice: Int
        /// Whether the step follows the one before in the same turn.
        let isAtOnce: Bool
    }

    let seed: UInt64
    let stores: Stores
    let sharesLoads: Bool
    let replacesIDs: Bool
    let hasRevisions: Bool
    let insertsInOrder: Bool
    let retries: Int
    let staleAfter: Duration?
    let count: Int
    var steps: [Step] = []

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        self.seed = seed
        stores = generator.chance(20) ? .own : generator.chance(60) ? .one : .two
        sharesLoads = stores == .two || generator.chance(20)
        replacesIDs = generator.chance(50)
        hasRevisions = generator.chance(50)
        insertsInOrder = generator.chance(30)
        retries = generator.chance(30) && stores != .own ? 1 : 0
        staleAfter = generator.chance(30) && stores != .own ? .seconds(60) : nil
        count = 1 + generator.below(7)
        for place in 0..<4 where generator.chance(70) {
            steps.append(Step(action: .load, place: place, choice: generator.below(3), isAtOnce: false))
        }
        if generator.chance(20) {
            let place = generator.below(4)
            let kinds: [Action] = [.set, .set, .mark, .delete, .insert]
            for _ in 0..<2 + generator.below(4) {
                let kind = kinds[generator.below(5)]
                steps.append(Step(action: kind, place: place, choice: generator.below(1000), isAtOnce: false))
            }
        }
        for _ in 0..<4 + generator.below(24) {
            var rest = generator.below(101)
            let action = Action.frequencies.first { entry in
                rest -= entry.1
                return rest < 0
            }
            steps.append(
                Step(
                    action: action?.0 ?? .answer,
                    place: generator.below(12),
                    choice: generator.below(1000),
                    isAtOnce: generator.chance(15)
                )
            )
        }
    }

    /// The steps, grouped by turns.
    var turns: [[Step]] {
        steps.reduce(into: []) { turns, step in
            if step.isAtOnce, !turns.isEmpty { turns[turns.count - 1].append(step) } else { turns.append([step]) }
        }
    }

    var summary: String {
        let age = staleAfter.map { ", stale after \($0)" } ?? ""
        return "stores: \(stores)\(sharesLoads ? ", shared loads" : "")\(replacesIDs ? ", IDs of the server" : "")"
            + "\(hasRevisions ? ", revisions" : "")\(insertsInOrder ? ", insertions in order" : "")"
            + ", \(retries) retries\(age), \(count) messages"
    }

    /// Returns the plan with as few steps as still fail in the same way.
    func shortened(_ isSame: (LivenessPlan) -> Bool) -> LivenessPlan {
        var plan = self
        while let shorter = plan.shorter(isSame) { plan = shorter }
        return plan
    }

    private func shorter(_ isSame: (LivenessPlan) -> Bool) -> LivenessPlan? {
        var candidates = [steps.count / 2, steps.count * 3 / 4].map { Array(steps.prefix($0)) }
        for index in steps.indices.reversed() {
            var fewer = steps
            fewer.remove(at: index)
            candidates.append(fewer)
        }
        for candidate in candidates where candidate.count < steps.count {
            var plan = self
            plan.steps = candidate
            if isSame(plan) { return plan }
        }
        return nil
    }
}
