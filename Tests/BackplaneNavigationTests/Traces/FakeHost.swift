import BackplaneNavigation
import TestSupport

/// A host that delays, repeats, loses and shuffles its reports.
///
/// It knows of the navigator only what a framework can read: the layers that are shown, their
/// stacks, and their dialogs.
final class FakeHost {
    /// A report on its way to the navigator, about what the host showed when it made the report.
    enum Report {
        case appeared(Layer<Int>, transition: Int)
        case uncovered(() -> Void, transition: Int)
        case stackAppeared(Stack<Int>)
        case rootAppeared(Place<Int>)
        case path([Place<Int>], shown: [Int], Stack<Int>)
        case closed(Layer<Int>, below: Layer<Int>, style: PresentationStyle)
        case selection(Int, Layer<Int>)
    }

    private let navigator: Navigator<Int>
    private let theme: Theme
    private var drawn = Drawing()
    private var appearedStacks: Set<Int> = []
    private var lastTransition = 0
    /// The transition whose end the host has not reported.
    private var transition: Int?
    private var reports: [Report] = []
    private var usedIDs: Set<Int> = []
    private var random: SeededGenerator

    init(_ navigator: Navigator<Int>, theme: Theme, seed: UInt64) {
        self.navigator = navigator
        self.theme = theme
        random = SeededGenerator(seed: seed)
    }

    private struct Drawing {
        var layers: [Layer<Int>] = []
        var dialog: PresentedDialog?
        /// The layer of the dialog.
        var asking: Layer<Int>?
        var roots: [Int: Int?] = [:]
        /// All objects with an ID, also those that are not shown.
        var objects: [Int: AnyObject] = [:]
    }

    /// The layers that the navigator publishes, the base first.
    var shown: [Layer<Int>] {
        var layers = [navigator.base]
        while let above = layers[layers.count - 1].above { layers.append(above) }
        return layers
    }

    // MARK: Drawing

    /// Draws what is published; a transition that ends is reported later.
    ///
    /// - Returns: a text if the change is not one that a framework can follow.
    func draw() -> String? {
        let new = Drawing(
            layers: shown,
            dialog: shown.lazy.compactMap(\.dialog).first,
            asking: shown.first { $0.dialog != nil },
            roots: Dictionary(uniqueKeysWithValues: shown.flatMap(\.stacks).map { ($0.id, $0.root?.id) }),
            objects: objects()
        )
        defer { drawn = new }
        // A dialog that leaves with its layer is a part of that transition.
        if let asking = drawn.asking, new.dialog == nil, new.layers.contains(where: { $0 === asking }) {
            lastTransition += 1
            transition = lastTransition
            reports.append(.uncovered(asking.uncovered, transition: lastTransition))
        }
        return drawLayers(new) ?? drawDialogs(new) ?? drawStacks(new) ?? checkIDs(new)
    }

    private func drawLayers(_ new: Drawing) -> String? {
        let common = zip(drawn.layers, new.layers).prefix { $0 === $1 }.count
        if common < drawn.layers.count {
            guard common == new.layers.count else { return "a layer was replaced in place" }
            lastTransition += 1
            transition = lastTransition
            if common > 0 { reports.append(.uncovered(new.layers[common - 1].uncovered, transition: lastTransition)) }
        } else if common < new.layers.count {
            guard new.layers.count == common + 1 else { return "two layers were raised at once" }
            guard transition == nil else { return "a layer was raised during a transition" }
            guard drawn.dialog == nil else { return "a layer was raised above a dialog" }
            lastTransition += 1
            // The base appears without a transition.
            if common > 0 { transition = lastTransition }
            reports.append(.appeared(new.layers[common], transition: lastTransition))
        }
        return nil
    }

    private func drawDialogs(_ new: Drawing) -> String? {
        guard let dialog = new.dialog, dialog !== drawn.dialog else { return nil }
        guard drawn.dialog == nil else { return "a dialog was replaced in place" }
        guard transition == nil else { return "a dialog was shown during a transition" }
        guard new.layers.last?.dialog === dialog else { return "a dialog was shown below a layer" }
        return nil
    }

    private func drawStacks(_ new: Drawing) -> String? {
        for stack in new.layers.flatMap(\.stacks) {
            guard let old = drawn.roots[stack.id] else {
                reports.append(.stackAppeared(stack))
                continue
            }
            guard let root = stack.root, root.id != old else { continue }
            reports.append(.rootAppeared(root))
            if appearedStacks.contains(stack.id), !stack.path.isEmpty {
                return "a root and a path were published in one update"
            }
        }
        return nil
    }

    private func objects() -> [Int: AnyObject] {
        let layers = navigator.layers
        let objects: [(Int, AnyObject)] =
            layers.map { ($0.id, $0) } + layers.flatMap(\.stacks).map { ($0.id, $0) }
            + layers.compactMap { $0.dialog.map { ($0.id, $0) } }
        return Dictionary(objects) { $1 }
    }

    private func checkIDs(_ new: Drawing) -> String? {
        for (id, object) in new.objects where drawn.objects[id] !== object {
            if !usedIDs.insert(id).inserted { return "ID \(id) was used twice" }
        }
        return nil
    }

    // MARK: Reports

    /// Lets the user do something, whose report is on its way.
    func touch() {
        let layers = shown
        let index = random.below(layers.count)
        let layer = layers[index]
        let stack = layer.stacks[random.below(layer.stacks.count)]
        let shown = stack.path.map(\.id)
        switch theme == .layers ? 3 : random.below(5) {
        case 0, 1: reports.append(.path(Array(stack.path.prefix(random.below(shown.count + 1))), shown: shown, stack))
        case 2:
            var path = stack.path
            path.shuffle(using: &random)
            reports.append(.path(path, shown: shown, stack))
        case 3:
            guard index > 0 else { return }
            let other: PresentationStyle = layer.style == .sheet ? .cover : .sheet
            let style = random.chance(20) ? other : layer.style ?? other
            reports.append(.closed(layer, below: layers[index - 1], style: style))
        default: reports.append(.selection(random.below(layer.stacks.count + 1), layer))
        }
    }

    /// Takes a random report from those on their way; it may be lost, or stay to be repeated.
    func nextReport() -> Report? {
        guard !reports.isEmpty else { return nil }
        let index = random.below(reports.count)
        let report = random.chance(theme == .layers ? 50 : 20) ? reports[index] : reports.remove(at: index)
        return random.chance(15) ? nil : report
    }

    /// Delivers a report to the navigator.
    func deliver(_ report: Report) {
        switch report {
        case .appeared(let layer, let number):
            if number == transition { transition = nil }
            layer.appeared()
        case .uncovered(let report, let number):
            if number == transition { transition = nil }
            report()
        case .stackAppeared(let stack):
            appearedStacks.insert(stack.id)
            stack.appeared()
        case .rootAppeared(let root): root.appeared()
        case .path(let path, let shown, let stack): stack[path: shown] = path
        case .closed(let layer, let below, let style): below[above: layer.id, as: style] = nil
        case .selection(let index, let layer):
            layer.selection = index < layer.stacks.count ? layer.stacks[index].id : -1
        }
    }

    // MARK: The end of a trace

    /// Whether all that is asked for is shown.
    var hasReached: Bool {
        shown.elementsEqual(navigator.layers, by: ===)
            && shown.flatMap(\.stacks).allSatisfy { $0.path.elementsEqual($0.places.dropFirst(), by: ===) }
    }

    /// Notes that time has passed in which every transition has ended.
    func passTime() { transition = nil }

    /// Returns honest reports about all that is shown.
    func honestReports() -> [Report] {
        passTime()
        return shown.flatMap { layer -> [Report] in
            [.uncovered(layer.uncovered, transition: 0), .appeared(layer, transition: 0)]
                + layer.stacks.compactMap(\.root).map { .rootAppeared($0) }
        }
    }
}
