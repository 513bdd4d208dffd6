import BackplaneNavigation
import BackplaneTesting

/// A host that delays, repeats, loses and shuffles its reports.
///
/// It knows of the navigator only what a framework can read: the layers that are shown, their
/// stacks, and their dialogs.
final class FakeHost {
    /// A report on its way to the navigator.
    enum Report {
        case appeared(Layer<Int>)
        case uncovered(Layer<Int>)
        case path([Place<Int>], Stack<Int>)
        case closed(style: PresentationStyle, Layer<Int>)
        case selection(Int, Layer<Int>)
    }

    private let navigator: Navigator<Int>
    private var drawn: [Layer<Int>] = []
    private var reports: [Report] = []
    private var random: SeededGenerator

    init(_ navigator: Navigator<Int>, seed: UInt64) {
        self.navigator = navigator
        random = SeededGenerator(seed: seed)
    }

    /// The layers that the navigator publishes, the base first.
    var shown: [Layer<Int>] {
        var layers = [navigator.base]
        while let above = layers[layers.count - 1].sheet ?? layers[layers.count - 1].cover { layers.append(above) }
        return layers
    }

    /// Draws what is published; a transition that ends is reported later.
    ///
    /// - Returns: a text if the change is not one that a framework can follow.
    func draw() -> String? {
        let shown = shown
        let common = zip(drawn, shown).prefix { $0 === $1 }.count
        defer { drawn = shown }
        if common < drawn.count {
            guard common == shown.count else { return "a layer was replaced in place" }
            if common > 0 { reports.append(.uncovered(shown[common - 1])) }
        } else if common < shown.count {
            guard shown.count == common + 1 else { return "two layers were raised at once" }
            reports.append(.appeared(shown[common]))
        }
        return nil
    }

    /// Lets the user do something, whose report is on its way.
    func touch() {
        let layers = shown
        let layer = layers[random.below(layers.count)]
        let stack = layer.stacks[random.below(layer.stacks.count)]
        switch random.below(5) {
        case 0, 1: reports.append(.path(Array(stack.path.prefix(random.below(stack.path.count + 1))), stack))
        case 2:
            var path = stack.path
            path.shuffle(using: &random)
            reports.append(.path(path, stack))
        case 3: reports.append(.closed(style: random.chance(50) ? .sheet : .cover, layer))
        default: reports.append(.selection(random.below(layer.stacks.count + 1), layer))
        }
    }

    /// Takes a random report from those on their way; it may be lost, or stay to be repeated.
    func nextReport() -> Report? {
        guard !reports.isEmpty else { return nil }
        let index = random.below(reports.count)
        let report = random.chance(20) ? reports[index] : reports.remove(at: index)
        return random.chance(15) ? nil : report
    }

    /// Delivers a report to the navigator.
    func deliver(_ report: Report) {
        switch report {
        case .appeared(let layer): layer.appeared()
        case .uncovered(let layer): layer.uncovered()
        case .path(let path, let stack): stack.path = path
        case .closed(.sheet, let layer): layer.sheet = nil
        case .closed(.cover, let layer): layer.cover = nil
        case .selection(let index, let layer):
            layer.selection = index < layer.stacks.count ? layer.stacks[index].id : -1
        }
    }
}
