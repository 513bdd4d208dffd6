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
        /// Nothing is above the layer any longer.
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
    private let isStepwise: Bool

    init(base: LayerID, isStepwise: Bool) {
        shown = [base]
        self.isStepwise = isStepwise
        isBaseShown = !isStepwise
    }

    /// Returns the next step, if one can begin, and begins it.
    mutating func next(toward asked: [LayerID]) -> Step? {
        guard isBaseShown, awaited == nil else { return nil }
        let common = zip(shown, asked).prefix { $0 == $1 }.count
        if common < shown.count {
            shown.removeSubrange(common...)
            begin(.uncovered(shown[common - 1]))
            return .drop(above: common - 1)
        }
        guard common < asked.count else { return nil }
        shown.append(asked[common])
        begin(.appeared(asked[common]))
        return .raise(common)
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

    /// Removes everything above a layer, because the user closed it.
    ///
    /// - Returns: the layer that was directly above; `nil` if there was none.
    mutating func hide(above layer: LayerID) -> LayerID? {
        guard let index = shown.firstIndex(of: layer), index + 1 < shown.count else { return nil }
        let hidden = shown[index + 1]
        shown.removeSubrange((index + 1)...)
        begin(.uncovered(layer))
        return hidden
    }

    private mutating func begin(_ end: Report) {
        number += 1
        awaited = isStepwise ? end : nil
    }
}
