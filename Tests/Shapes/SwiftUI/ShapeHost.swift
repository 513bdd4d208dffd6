// A host that draws views and plays the user, for tests; not a part of SwiftUI.

public import Foundation

/// A window that draws a view without pixels, finds what it shows, and acts as its user.
///
/// It also looks for mistakes that SwiftUI punishes: see ``problems``.
@MainActor public final class ShapeHost {
    private let root: any View
    private var top: ShapeNode?
    private var actions: [() -> Void] = []
    var onURL: [(URL) -> Void] = []
    var onActivity: [(NSUserActivity) -> Void] = []
    var presentationsRaised = 0

    /// The mistakes found: two destinations for one type, a missing destination or one outside a
    /// stack, a sheet whose item was swapped, several presentations raised in one update, an `id`
    /// on a stack.
    public internal(set) var problems: [String] = []

    /// Draws a view.
    public init(@ViewBuilder _ content: () -> some View) {
        root = content()
        update()
    }

    /// Runs an action after the drawing, as SwiftUI does with `onAppear`.
    func later(_ action: @escaping () -> Void) { actions.append(action) }

    /// Draws the view again, until its actions change nothing more.
    public func update() {
        var rounds = 0
        repeat {
            let pending = actions
            actions = []
            for action in pending { action() }
            (onURL, onActivity, presentationsRaised) = ([], [], 0)
            let top = top ?? ShapeNode(host: self, type: Any.self, parent: nil)
            self.top = top
            top.redraw { top.draw(root) }
            if presentationsRaised > 1 { problems.append("Several presentations were raised in one update.") }
            rounds += 1
            if rounds > 100 { return problems.append("The view does not come to rest.") }
        } while !actions.isEmpty
    }

    // MARK: Finding

    private var nodes: [ShapeNode] { top?.visible ?? [] }

    /// The visible texts, without those of fields.
    public var texts: [String] {
        nodes.compactMap { if case .text(let text) = $0.element { text } else { nil } }
    }

    /// The number of visible progress views.
    public var progressCount: Int {
        nodes.filter { if case .progress = $0.element { true } else { false } }.count
    }

    /// The presentations and dialogs, the lowest first: `sheet`, `cover`, `alert`,
    /// `confirmationDialog`.
    public var presentations: [String] {
        nodes.compactMap { node in
            switch node.element {
            case .presentation(let kind, _): kind.rawValue
            case .dialog(let kind, _, _): kind.rawValue
            default: nil
            }
        }
    }

    /// The highest button or toggle with this label.
    private func control(_ label: String) -> ShapeNode? {
        nodes.last { node in
            switch node.element {
            case .button, .toggle: node.text == label
            default: false
            }
        }
    }

    /// Whether the highest button or toggle with this label can be tapped; `nil` if there is none.
    public func isEnabled(_ label: String) -> Bool? { control(label)?.environment.isEnabled }

    /// Whether the highest toggle with this label is on; `nil` if there is none.
    public func isOn(_ label: String) -> Bool? {
        if case .toggle(let isOn) = control(label)?.element { isOn.wrappedValue } else { nil }
    }

    /// The role of the highest button with this label.
    public func role(of label: String) -> ButtonRole? {
        if case .button(let role, _) = control(label)?.element { role } else { nil }
    }

    // MARK: Acting

    /// Taps the highest button or toggle with this label; returns whether there is one and it is
    /// enabled.
    ///
    /// A toggle changes its value. A button in a dialog also hides the dialog, before or after its
    /// action.
    @discardableResult
    public func tap(_ label: String, hidesFirst: Bool = false, updates: Bool = true) -> Bool {
        guard let node = control(label), node.environment.isEnabled else { return false }
        let hide = dialog(around: node)
        if hidesFirst { hide?() }
        if case .button(_, let action) = node.element { action() }
        if case .toggle(let isOn) = node.element { isOn.wrappedValue.toggle() }
        if !hidesFirst { hide?() }
        if updates { update() }
        return true
    }

    private func dialog(around node: ShapeNode) -> (() -> Void)? {
        if case .dialog(_, _, let hide) = node.element { return hide }
        return node.parent.flatMap { dialog(around: $0) }
    }

    /// Types into the highest field with this label.
    public func type(_ text: String, into label: String) {
        for case .field(label, let binding) in nodes.reversed().compactMap(\.element) {
            binding.wrappedValue = text
            return update()
        }
    }

    /// Goes back in the highest visible stack to `count` pushed places; by default by one.
    public func goBack(to count: Int? = nil) {
        for case .stack(let current, let cut, _) in nodes.reversed().compactMap(\.element) {
            cut(count ?? current - 1)
            return update()
        }
    }

    /// Pulls the highest sheet or cover down; it stays if `interactiveDismissDisabled` says so.
    public func closePresentation() {
        for node in nodes.reversed() {
            guard case .presentation(_, let hide) = node.element else { continue }
            if !node.isDismissDisabled { hide() }
            return update()
        }
    }

    /// Hides the highest dialog without a choice.
    public func hideDialog() {
        for case .dialog(_, _, let hide) in nodes.reversed().compactMap(\.element) {
            hide()
            return update()
        }
    }

    /// Selects a tab by its position.
    public func selectTab(_ index: Int) {
        for case .tabs(let tags, let select) in nodes.compactMap(\.element) {
            select(tags[index])
            return update()
        }
    }

    /// Delivers a link to `onOpenURL`.
    public func open(_ url: URL) {
        for action in onURL { action(url) }
        update()
    }

    /// Delivers an activity to `onContinueUserActivity`.
    public func `continue`(_ activity: NSUserActivity) {
        for action in onActivity { action(activity) }
        update()
    }
}
