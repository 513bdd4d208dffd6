// The nodes of a drawn view; not a part of SwiftUI.

import Foundation

/// One view in the tree that a ``ShapeHost`` draws.
@MainActor public final class ShapeNode {
    /// The element that tests find.
    enum Element {
        case text(String)
        case image(String)
        case button(ButtonRole?, () -> Void)
        case field(String, Binding<String>)
        case toggle(Binding<Bool>)
        case progress
        case stack(count: Int, cut: (Int) -> Void, destinations: Destinations)
        case tabs([AnyHashable], select: (AnyHashable) -> Void)
        case presentation(PresentationKind, hide: () -> Void)
        case dialog(DialogKind, title: String, hide: () -> Void)
    }

    let host: ShapeHost
    let type: Any.Type
    private(set) weak var parent: ShapeNode?
    private(set) var children: [ShapeNode] = []
    private var previous: [AnyHashable: ShapeNode] = [:]
    private var current: [AnyHashable: ShapeNode] = [:]
    private var boxes: [AnyObject] = []
    private(set) var isNew = true
    /// The branches of the conditions in this view, down to the first container.
    var branches: [Bool] = []

    var environment = EnvironmentValues()
    var element: Element?
    /// Whether the view is covered by another place of its stack, or its tab is not selected.
    var isHidden = false
    /// Whether the user cannot close this presentation.
    var isDismissDisabled = false
    /// The heights of this presentation, and the point to which it has an arrow.
    var detents: Set<PresentationDetent> = []
    var anchor: UnitPoint?
    /// The value that a modifier keeps from one drawing to the next.
    var memory: Any?
    var task: Task<Void, Never>?
    var onEnd: (() -> Void)?
    var tag: AnyHashable?

    init(host: ShapeHost, type: Any.Type, parent: ShapeNode?) {
        self.host = host
        self.type = type
        self.parent = parent
    }

    /// Draws a view as a child, which keeps its node if its type and key are the same as before.
    @discardableResult
    func draw(_ view: some View, key: AnyHashable = 0, hidden: Bool = false) -> ShapeNode {
        draw(view, key: key, hidden: hidden) { view._draw(in: $0) }
    }

    private func draw<V: View>(_ view: V, key: AnyHashable, hidden: Bool, _ body: (ShapeNode) -> Void) -> ShapeNode {
        let old = previous[key].flatMap { $0.type == V.self ? $0 : nil }
        let node = old ?? ShapeNode(host: host, type: V.self, parent: self)
        if old != nil { previous[key] = nil }
        node.isNew = old == nil
        node.environment = environment
        node.isHidden = hidden
        node.element = nil
        node.isDismissDisabled = false
        node.detents = []
        node.tag = nil
        current[key] = node
        children.append(node)
        node.redraw {
            node.install(view)
            body(node)
        }
        return node
    }

    /// Draws the view inside a view that is no container.
    ///
    /// SwiftUI applies a modifier of a condition to each of its branches. So the node counts as new
    /// when the branch changes.
    func drawInside(_ view: some View) {
        let old = branches
        branches = draw(view).branches
        if branches != old { isNew = true }
    }

    /// Draws the children with a key, which give up what they keep if the key changes.
    func redrawKeyed(_ key: AnyHashable, _ draw: () -> Void) {
        if let memory = memory as? AnyHashable, memory != key {
            host.replacements += 1
            for node in previous.values { node.end() }
            previous = [:]
        }
        memory = key
        draw()
    }

    /// Draws the children anew, and ends the ones that are no longer there.
    func redraw(_ body: () -> Void) {
        previous = current
        (current, children) = ([:], [])
        body()
        for node in previous.values { node.end() }
        previous = [:]
    }

    private func end() {
        task?.cancel()
        if let onEnd { host.report(onEnd) }
        for child in children { child.end() }
    }

    /// Connects the dynamic properties of a view or modifier with the values that the node keeps.
    func install(_ owner: Any) {
        var slot = 0
        install(propertiesOf: owner, &slot)
    }

    private func install(propertiesOf owner: Any, _ slot: inout Int) {
        for child in Mirror(reflecting: owner).children {
            guard child.value is any DynamicProperty else { continue }
            if let property = child.value as? any Installable {
                property.install(in: self, slot: slot)
                slot += 1
            } else {
                install(propertiesOf: child.value, &slot)
            }
        }
    }

    /// Returns the object in a slot, which is `new` at first.
    func keep<Kept: AnyObject>(_ new: Kept, in slot: Int) -> Kept {
        while boxes.count <= slot { boxes.append(new) }
        if let kept = boxes[slot] as? Kept { return kept }
        boxes[slot] = new
        return new
    }

    // MARK: Finding

    /// This node and all visible ones below, in the order in which they are drawn.
    var visible: [ShapeNode] { isHidden ? [] : [self] + children.flatMap(\.visible) }

    /// The texts in this node and below, which are not in another element.
    var text: String {
        visible.compactMap { if case .text(let text) = $0.element { text } else { nil } }.joined(separator: " ")
    }

    /// Whether a button in this node or below has the role of cancelling.
    var hasCancelButton: Bool {
        if case .button(let role?, _) = element, role == .cancel { return true }
        return children.contains(where: \.hasCancelButton)
    }

    /// The nearest presentation around this node.
    var presentation: ShapeNode? {
        if case .presentation = element { self } else { parent?.presentation }
    }

    /// The nearest stack around this node.
    var destinations: Destinations? {
        if case .stack(_, _, let destinations) = element { destinations } else { parent?.destinations }
    }
}
