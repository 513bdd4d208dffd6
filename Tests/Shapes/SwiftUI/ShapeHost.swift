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
    /// Whether a dialog is there, or has left in this update.
    var isAsking = false
    /// The number of views that a new `id` has replaced.
    var replacements = 0

    /// The time after which a report comes; `nil` if reports come at once.
    private let delay: (() -> Duration)?
    private var now = Duration.zero
    private var late: [(time: Duration, action: () -> Void)] = []
    private var transitionEnd = Duration.zero

    /// The mistakes found: two destinations for one type, a missing destination or one outside a
    /// stack, a sheet whose item was swapped, several presentations raised in one update, a
    /// presentation during a transition, a path published together with its root, an `id` on a
    /// stack.
    public internal(set) var problems: [String] = []

    /// The values of the scene that outlive its process, by their keys.
    public internal(set) var sceneStorage: [String: Data]

    /// The phase of the scene, which the system changes.
    public var scenePhase = ScenePhase.active { didSet { update() } }

    /// Whether the window has room for one column only.
    public var isNarrow = false { didSet { update() } }

    /// Draws a view.
    ///
    /// - Parameters:
    ///   - delay: returns the length of a transition, and the time after which a report such as
    ///     `onAppear` and `onDismiss` comes. They come when a test lets time pass.
    ///   - sceneStorage: the values of an earlier scene, with which the system restores this one.
    ///   - content: the view.
    public init(
        delay: (() -> Duration)? = nil,
        restoring sceneStorage: [String: Data] = [:],
        @ViewBuilder _ content: () -> some View
    ) {
        self.delay = delay
        self.sceneStorage = sceneStorage
        root = content()
        update()
    }

    /// Draws an app with one window.
    public convenience init(app: some App) { self.init { AppView(app: app) } }

    /// Runs an action after the drawing, as SwiftUI does with `onAppear`.
    func later(_ action: @escaping () -> Void) { actions.append(action) }

    /// Makes a report, after its delay and not before the end of a transition.
    func report(_ action: @escaping () -> Void) {
        guard let delay else { return later(action) }
        late.append((max(transitionEnd, now + delay()), action))
    }

    /// Whether a presentation is on its way.
    public var isMoving: Bool { now < transitionEnd }

    /// Whether changes come together that SwiftUI loses, which a host without delays forgives.
    var forgives: Bool { delay == nil }

    /// Whether a report is still to come.
    public var isWaiting: Bool { !late.isEmpty }

    /// Begins the transition of a presentation, which SwiftUI loses during another one.
    func beginTransition(_ kind: String) {
        if isMoving { problems.append("A change of a \(kind) began during a transition.") }
        if let delay { transitionEnd = now + delay() }
    }

    /// Lets time pass, in which late reports come.
    public func advance(by duration: Duration) {
        let end = now + duration
        while let next = late.indices.min(by: { late[$0].time < late[$1].time }), late[next].time <= end {
            now = max(now, late[next].time)
            late.remove(at: next).action()
            update()
        }
        now = end
        update()
    }

    /// Draws the view again, until its actions change nothing more.
    public func update() {
        var rounds = 0
        repeat {
            let pending = actions
            actions = []
            for action in pending { action() }
            (onURL, onActivity, presentationsRaised, isAsking) = ([], [], 0, false)
            let top = top ?? ShapeNode(host: self, type: Any.self, parent: nil)
            self.top = top
            top.environment.scenePhase = scenePhase
            top.redraw { top.draw(root) }
            if presentationsRaised > 1 { problems.append("Several presentations were raised in one update.") }
            if presentationsRaised > 0, isAsking, delay != nil {
                problems.append("A presentation was raised although a dialog is there, or has just left.")
            }
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

    /// The presentations and dialogs, the lowest first: `sheet`, `cover`, `popover`,
    /// `alert`, `confirmationDialog`.
    public var presentations: [String] {
        nodes.compactMap { node in
            switch node.element {
            case .presentation(let kind, _): kind.rawValue
            case .dialog(let kind, _, _): kind.rawValue
            default: nil
            }
        }
    }

    private var presented: [ShapeNode] {
        nodes.filter { if case .presentation = $0.element { true } else { false } }
    }

    /// The heights of the highest sheet, cover or popover.
    public var detents: Set<PresentationDetent>? { presented.last?.detents }
    /// The point of the arrow of the highest sheet, cover or popover.
    public var anchor: UnitPoint? { presented.last?.anchor }

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
            cut(max(0, count ?? current - 1))
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
