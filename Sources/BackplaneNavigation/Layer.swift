import Backplane
public import Observation

/// The base of a window, or a sheet or a cover above it.
///
/// A layer has one ``Stack``, or one for each tab. At most one layer is above it, shown as
/// ``sheet`` or ``cover``. A host draws the layers one inside the other, beginning with
/// ``Navigator/base``. In SwiftUI:
///
/// ```swift
/// struct LayerView<Content: View>: View {
///     @Bindable var layer: Layer<AppScreen>
///
///     var body: some View {
///         StackView(stack: layer.stack)
///             .onAppear { layer.appeared() }
///             .sheet(item: $layer.sheet, onDismiss: layer.uncovered) { LayerView(layer: $0) }
///     }
/// }
/// ```
///
/// **Isolation.** A layer belongs to the actor of its navigator, and is not `Sendable`.
public final class Layer<Screen>: Identifiable {
    /// The ID of the layer, which no other place, layer, stack or dialog in the process has had.
    public let id = newID()

    /// How the layer is shown; `nil` for the base.
    public let style: PresentationStyle?

    /// Whether ``Navigator/uncover()`` keeps the layer.
    ///
    /// At first it is `pinned` of ``Navigator/present(_:as:pinned:)``, and `false` for the base. A
    /// board can change it, for example to pin the layer while the user's text is not saved. If the
    /// base is pinned, it keeps its questions. It is not observed.
    ///
    /// ```swift
    /// navigator.topLayer.isPinned = !text.isEmpty
    /// ```
    public var isPinned: Bool

    private let changes = Changes()
    /// The observed state, read without observation.
    private var contents: Contents
    /// The dialogs without an outcome, in the order in which they were asked.
    var dialogs: [PresentedDialog] = []
    /// Whether a dialog left in this turn, so that the next one waits for the end of the turn.
    var isChangingDialogs = false
    private weak var navigator: Navigator<Screen>?

    init(root: Place<Screen>?, style: PresentationStyle?, isPinned: Bool, in navigator: Navigator<Screen>) {
        self.style = style
        self.isPinned = isPinned
        self.navigator = navigator
        contents = Contents(stacks: [Stack(root: root, in: navigator)])
    }

    private struct Contents {
        var stacks: [Stack<Screen>]
        var selected: Stack<Screen>.ID?
        var above: Layer?
        var dialog: PresentedDialog?
    }

    private var observed: Contents {
        get {
            changes.access()
            return contents
        }
        set { changes.notify { contents = newValue } }
    }

    /// Notifies the observers, although nothing has changed.
    func publish() { changes.notify {} }

    // MARK: Tabs

    /// The stacks: one for each tab, or one if there are no tabs.
    public internal(set) var stacks: [Stack<Screen>] {
        get { observed.stacks }
        set { observed.stacks = newValue }
    }

    /// The ID of the stack of the selected tab; `nil` for the first tab.
    var selected: Stack<Screen>.ID? {
        get { observed.selected }
        set { observed.selected = newValue }
    }

    /// The stack of the selected tab.
    public var stack: Stack<Screen> {
        changes.access()
        return current
    }

    /// The stack of the selected tab, read without observation.
    var current: Stack<Screen> {
        guard let selected = contents.selected else { return contents.stacks[0] }
        return contents.stacks.first { $0.id == selected } ?? contents.stacks[0]
    }

    /// The ID of the stack of the selected tab.
    ///
    /// A host that writes this property reports that the user selected a tab. Other tabs keep their
    /// places. If the user selects the selected tab again, the places above its root leave. An ID
    /// that no stack has is refused.
    public var selection: Stack<Screen>.ID {
        get { stack.id }
        set { navigator?.report(selection: newValue, of: self) }
    }

    /// All places of the layer, of the first tab first and the lowest first.
    public var places: [Place<Screen>] { stacks.flatMap(\.places) }

    // MARK: The layer above

    /// The layer that the host shows above this one: its ``sheet`` or its ``cover``.
    ///
    /// A host that shows both kinds in the same way reads this property, and reports the end with
    /// ``close()``.
    public internal(set) var above: Layer? {
        get { observed.above }
        set { observed.above = newValue }
    }

    /// The sheet that the host shows above this layer.
    ///
    /// It follows the orders to the navigator step by step: see ``Navigator``. A host that writes
    /// `nil` reports that the user closed the sheet. If no sheet is shown, this changes nothing.
    /// Any other value is refused.
    public var sheet: Layer? {
        get { above?.style == .sheet ? above : nil }
        set { navigator?.report(above: newValue, style: .sheet, of: self) }
    }

    /// The cover that the host shows above this layer; otherwise as ``sheet``.
    public var cover: Layer? {
        get { above?.style == .cover ? above : nil }
        set { navigator?.report(above: newValue, style: .cover, of: self) }
    }

    /// Reports that the user closed this layer.
    ///
    /// It is the same report as writing `nil` to ``sheet`` or ``cover`` of the layer below. The
    /// base cannot be closed, and a layer that the host does not show changes nothing.
    public func close() { navigator?.reportEnd(of: self) }

    /// Reports that the host shows this layer.
    public func appeared() { navigator?.report(.appeared(id)) }

    /// Reports that nothing is above this layer any longer, for example from `onDismiss`.
    public func uncovered() { navigator?.report(.uncovered(id)) }

    // MARK: Dialogs

    /// The dialog that the host shows above this layer; `nil` if there is none.
    public internal(set) var dialog: PresentedDialog? {
        get { observed.dialog }
        set { observed.dialog = newValue }
    }

    /// Whether a dialog is shown above this layer.
    ///
    /// A host that writes `false` reports that the user hid the dialog. Writing `true` changes
    /// nothing.
    public var isAsking: Bool {
        get { dialog != nil }
        set { if !newValue { navigator?.hideDialog(of: self) } }
    }
}

extension Layer: Observable {}

/// How a layer is shown above another one.
public enum PresentationStyle: Hashable, Sendable {
    /// A sheet, which usually leaves a part of the layer below visible.
    case sheet
    /// A cover over the whole window.
    case cover
}
