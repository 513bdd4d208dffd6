/// The rules of a navigator (V1 to V17, V19 and V21), written down without the steps of a host.
///
/// Screens are numbers, each of them used once.
struct NavigatorModel: Equatable {
    struct Layer: Equatable {
        var isPinned = false
        /// The places of each tab, the root first.
        var stacks: [[Int]] = [[]]
        var selected = 0

        var places: [Int] { stacks.flatMap { $0 } }
    }

    /// A mistake that the traces must find.
    enum Fault: CaseIterable {
        case endsLowestFirst, keepsLayersAbove, tabForgetsItsPlaces, dismissTakesPlacesAbove, ordersInTheMiddle,
            repeatedPathsCount
    }

    private(set) var layers = [Layer()]
    private(set) var isClosed = false
    /// The screens whose lifetimes ended, in order.
    private(set) var ended: [Int] = []
    /// The orders that a screen gives when its lifetime ends.
    var farewells: [Int: NavigatorOrder] = [:]
    private var orders: [NavigatorOrder] = []
    /// The screens of the outermost order, whose places the caller does not have yet.
    private var fresh: Set<Int> = []
    /// The screens that ended before the caller had their places.
    private var late: Set<Int> = []
    private var isBusy = false
    /// The screens that have left and whose lifetimes have not ended.
    private var endings: [Int] = []
    private var isEnding = false
    private let fault: Fault?

    init(fault: Fault? = nil) {
        self.fault = fault
    }

    /// The visible contents: the places, the selected tabs and the ended screens.
    var view: NavigatorView {
        NavigatorView(layers: layers.map { .init(stacks: $0.stacks, selected: $0.selected) }, ended: ended, late: late)
    }

    mutating func take(_ order: NavigatorOrder) {
        if isBusy, case .complete(let screen) = order, position(of: screen) != nil {
            return dismiss(screen)
        }
        if isBusy, fault != .ordersInTheMiddle { return orders.append(order) }
        let isOutermost = !isBusy
        if isOutermost { fresh = Set(order.added ?? []) }
        isBusy = true
        perform(order)
        guard isOutermost else { return }
        while !orders.isEmpty { perform(orders.removeFirst()) }
        isBusy = false
    }

    private mutating func perform(_ order: NavigatorOrder) {
        if isClosed, let added = order.added { return end(added) }
        switch order {
        case .setTabs(let screens):
            let left = cut(above: 0) + layers[0].places.reversed()
            layers[0] = Layer(stacks: screens.map { [$0] })
            end(left)
        case .push(let screen): layers[layers.count - 1].stacks[layers[layers.count - 1].selected].append(screen)
        case .present(let screen, _, let isPinned):
            layers.append(Layer(isPinned: isPinned, stacks: [[screen]]))
        case .dismiss(let screen), .complete(let screen): dismiss(screen)
        case .back(let screen): back(to: screen)
        case .backToMultiple(let number):
            if let match = match(number) { back(to: match) }
        case .returnHome:
            let left = cut(above: 0)
            end(left + pop(layer: 0, stack: layers[0].selected, to: 1))
        case .select(let screen):
            guard let (layer, stack, _) = position(of: screen) else { return }
            selectTab(stack, in: layer)
            end(cut(above: layer))
        case .uncover: end(cut(above: layers.lastIndex(where: \.isPinned) ?? 0))
        case .close:
            guard !isClosed else { return }
            isClosed = true
            let left = cut(above: 0) + layers[0].places.reversed()
            layers = [Layer()]
            end(left)
        case .userPopped(let root, let shown, let path): userPopped(root, shown, path)
        case .userClosed(let root):
            // The layer may have left already.
            guard let layer = layers.indices.dropFirst().first(where: { layers[$0].stacks[0].first == root }) else {
                return
            }
            end(cut(above: layer - 1))
        case .userSelected(let layer, let stack):
            guard layers.indices.contains(layer), layers[layer].stacks.indices.contains(stack) else { return }
            if layers[layer].selected == stack {
                end(pop(layer: layer, stack: stack, to: 1))
            } else {
                selectTab(stack, in: layer)
            }
        }
    }

    /// The user went back from the places `shown` to the places `path`.
    private mutating func userPopped(_ root: Int, _ shown: [Int], _ path: [Int]) {
        guard let layer = layers.firstIndex(where: { $0.stacks.contains { $0.first == root } }),
            let stack = layers[layer].stacks.firstIndex(where: { $0.first == root }),
            shown.starts(with: path)
        else { return }
        let places = layers[layer].stacks[stack]
        // The lowest place that the user left and that is still there leaves, with those above it.
        for screen in shown[path.count...] {
            guard let height = places.dropFirst().firstIndex(of: screen) else { continue }
            return end(pop(layer: layer, stack: stack, to: height))
        }
        if fault == .repeatedPathsCount { end(pop(layer: layer, stack: stack, to: path.count + 1)) }
    }

    private mutating func selectTab(_ stack: Int, in layer: Int) {
        if fault == .tabForgetsItsPlaces, layers[layer].selected != stack {
            end(pop(layer: layer, stack: layers[layer].selected, to: 1))
        }
        layers[layer].selected = stack
    }

    private mutating func dismiss(_ screen: Int) {
        guard let (layer, stack, index) = position(of: screen) else { return }
        if index == 0, layer > 0 {
            end(cut(above: layer - 1))
        } else if fault == .dismissTakesPlacesAbove {
            end(pop(layer: layer, stack: stack, to: index))
        } else {
            layers[layer].stacks[stack].remove(at: index)
            if layers[layer].stacks[stack].isEmpty, layers[layer].stacks.count > 1 {
                layers[layer].stacks.remove(at: stack)
                // The tab that was selected stays selected; if it is the one that left, the first.
                if layers[layer].selected == stack {
                    layers[layer].selected = 0
                } else if layers[layer].selected > stack {
                    layers[layer].selected -= 1
                }
            }
            end([screen])
        }
    }

    private mutating func back(to screen: Int) {
        guard let (layer, stack, index) = position(of: screen) else { return }
        selectTab(stack, in: layer)
        let left = fault == .keepsLayersAbove ? [] : cut(above: layer)
        end(left + pop(layer: layer, stack: stack, to: index + 1))
    }

    /// Returns the highest screen that is a multiple of a number.
    func match(_ number: Int) -> Int? {
        for layer in layers.reversed() {
            let others = layer.stacks.indices.filter { $0 != layer.selected }
            for stack in [layer.selected] + others {
                if let match = layer.stacks[stack].last(where: { $0.isMultiple(of: number) }) { return match }
            }
        }
        return nil
    }

    private func position(of screen: Int) -> (layer: Int, stack: Int, index: Int)? {
        for (layer, contents) in layers.enumerated() {
            for (stack, places) in contents.stacks.enumerated() {
                if let index = places.firstIndex(of: screen) { return (layer, stack, index) }
            }
        }
        return nil
    }

    /// Removes the layers above an index, and returns their places, the highest first.
    private mutating func cut(above index: Int) -> [Int] {
        let left = layers[(index + 1)...].flatMap(\.places)
        layers.removeSubrange((index + 1)...)
        return left.reversed()
    }

    private mutating func pop(layer: Int, stack: Int, to count: Int) -> [Int] {
        let left = layers[layer].stacks[stack].dropFirst(count)
        layers[layer].stacks[stack] = Array(layers[layer].stacks[stack].prefix(count))
        return left.reversed()
    }

    private mutating func end(_ screens: [Int]) {
        let isInTheMiddle = isEnding && fault == .ordersInTheMiddle
        endings.insert(
            contentsOf: fault == .endsLowestFirst ? screens.reversed() : screens,
            at: isInTheMiddle ? 0 : endings.count
        )
        guard !isEnding || isInTheMiddle else { return }
        isEnding = true
        defer { isEnding = false }
        while !endings.isEmpty {
            let screen = endings.removeFirst()
            guard !fresh.contains(screen) else {
                late.insert(screen)
                continue
            }
            ended.append(screen)
            if let farewell = farewells[screen] { take(farewell) }
        }
    }
}

/// An order to a navigator, or a report of its host.
enum NavigatorOrder: Equatable {
    case setTabs([Int])
    case push(Int)
    case present(Int, isCover: Bool, isPinned: Bool)
    case dismiss(Int)
    /// The board of the screen completes.
    case complete(Int)
    case back(Int)
    case backToMultiple(of: Int)
    case returnHome
    case select(Int)
    case uncover
    case close
    /// The host wrote the path of the stack with this root, while it showed other places.
    case userPopped(root: Int, shown: [Int], path: [Int])
    /// The host closed the layer with this root.
    case userClosed(root: Int)
    case userSelected(layer: Int, stack: Int)

    /// The screens that the order adds.
    var added: [Int]? {
        switch self {
        case .setTabs(let screens): screens.reversed()
        case .push(let screen), .present(let screen, _, _): [screen]
        default: nil
        }
    }
}

/// The visible contents of a navigator.
struct NavigatorView: Equatable, CustomStringConvertible {
    struct Layer: Equatable {
        let stacks: [[Int]]
        let selected: Int
    }

    let layers: [Layer]
    let ended: [Int]
    /// The screens that ended before the caller had their places.
    let late: Set<Int>

    var description: String {
        layers.map { "\($0.stacks) tab \($0.selected)" }.joined(separator: " / ")
            + "; ended \(ended), late \(late.sorted())"
    }
}
