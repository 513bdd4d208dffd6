/// The steps by which the shown layers follow the layers that are asked for.
///
/// A framework such as SwiftUI loses presentations if several change in one update. So each step
/// either drops everything above one layer, or raises one layer. The next step follows when the
/// host has reported the end of the step.
struct PresentationStateMachine {
    typealias LayerID = Int

    /// A report of the host.
    enum Report: Hashable {
        /// The layer is on the screen.
        case appeared(LayerID)
        /// The layer is no longer above another one, and nothing that was above it is.
        case uncovered(LayerID)
    }

    enum Step: Equatable {
        /// Remove everything above the shown layer at this index.
        case drop(above: Int)
        /// Show the layer at this index of the layers that are asked for.
        case raise(Int)
    }

    /// The layers that the host shows, the base first.
    private(set) var shown: [LayerID]
    /// The report that ends the current step; `nil` if no step is under way.
    private(set) var awaited: Report?
    /// The number of the last step.
    private(set) var number = 0
    private var isBaseShown: Bool
    /// Whether the host reports the end of a step; otherwise each step ends at once.
    let isStepwise: Bool

    init(base: LayerID, isStepwise: Bool) {
        shown = [base]
        self.isStepwise = isStepwise
        isBaseShown = !isStepwise
    }

    /// Returns the next step, if one can begin, and begins it.
    ///
    /// - Parameters:
    ///   - asked: the layers that are asked for.
    ///   - isAsking: whether a dialog is above the highest shown layer.
    /// - Returns: the step; `nil` if none can begin.
    mutating func next(toward asked: [LayerID], isAsking: Bool) -> Step? {
        guard isBaseShown, awaited == nil else { return nil }
        let common = zip(shown, asked).prefix { $0 == $1 }.count
        if common < shown.count {
            begin(.uncovered(shown[common]))
            shown.removeSubrange(common...)
            return .drop(above: common - 1)
        }
        guard common < asked.count, !isAsking || !isStepwise else { return nil }
        shown.append(asked[common])
        begin(.appeared(asked[common]))
        return .raise(common)
    }

    /// Returns whether a dialog can be shown above a layer now: a framework loses it below another
    /// layer and during a step.
    func canAsk(above layer: LayerID, asked: [LayerID]) -> Bool {
        !isStepwise || (isBaseShown && awaited == nil && shown == asked && shown.last == layer)
    }

    /// Takes a report; a report that ends no step changes nothing.
    mutating func take(_ report: Report) {
        if report == .appeared(shown[0]) { isBaseShown = true }
        if report == awaited { awaited = nil }
    }

    /// Ends a step without a report, if it is still under way.
    mutating func endStep(_ number: Int) {
        if number == self.number { awaited = nil }
    }

    /// Removes a shown layer and everything above it, because the user closed it.
    mutating func hide(_ layer: LayerID) {
        guard let index = shown.firstIndex(of: layer), index > 0 else { return }
        shown.removeSubrange(index...)
        begin(.uncovered(layer))
    }

    private mutating func begin(_ end: Report) {
        number += 1
        awaited = isStepwise ? end : nil
    }
}
