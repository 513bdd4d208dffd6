import Backplane
public import Observation

/// The base of a window, or a sheet or a cover above it.
///
/// A layer has one ``Stack``, or one for each tab. At most one layer is ``above`` it, shown as a
/// sheet or a cover. A host draws the layers one inside the other, beginning with
/// ``Navigator/base``.
///
/// **Isolation.** A layer belongs to the actor of its navigator, and is not `Sendable`.
public final class Layer<Screen>: Identifiable {
    /// The ID of the layer; no other place, layer, stack or dialog in the process has ever had it.
    public let id = newID()

    /// How the layer is shown; `nil` for the base.
    public let style: PresentationStyle?

    /// The form of the sheet; ``SheetForm/automatic`` for the base and for a cover.
    public let form: SheetForm

    /// Whether ``Navigator/uncover()`` keeps the layer.
    ///
    /// At first it is `pinned` of ``Navigator/present(_:as:form:pinned:)``, and `false` for the
    /// base. A board can change it, for example to pin the layer while the user's text is not
    /// saved. If the base is pinned, it keeps its questions. A change of this property is not
    /// observable.
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
    private weak var navigator: Navigator<Screen>?

    init(
        root: Place<Screen>?,
        style: PresentationStyle?,
        form: SheetForm = .automatic,
        isPinned: Bool,
        in navigator: Navigator<Screen>
    ) {
        self.style = style
        self.form = style == .sheet ? form : .automatic
        self.isPinned = isPinned
        self.navigator = navigator
        contents = Contents(stacks: [Stack(root: root, in: navigator)])
    }

    private struct Contents {
        var stacks: [Stack<Screen>]
        var selected: Stack<Screen>.ID?
        var above: Layer?
        var dialog: PresentedDialog?
        var leavingDialog: PresentedDialog.ID?
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
    /// places. If the user selects the selected tab again, the places above its root leave. If no
    /// stack has the ID, nothing changes.
    public var selection: Stack<Screen>.ID {
        get { stack.id }
        set { navigator?.report(selection: newValue, of: self) }
    }

    /// The ID of the stack of the selected tab, for a binding of a host.
    ///
    /// A written ID is a report as with ``selection``. If an order has selected the tab while the
    /// host showed another one, the user's tap on the tab does not return it home.
    ///
    /// - Parameter shown: the ID of the stack of the tab that the host shows.
    package subscript(selection shown: Stack<Screen>.ID) -> Stack<Screen>.ID {
        get { selection }
        set { if newValue == shown || newValue != selection { selection = newValue } }
    }

    /// All places of the layer, of the first tab first and the lowest first.
    var places: [Place<Screen>] { stacks.flatMap(\.places) }

    // MARK: The layer above

    /// The layer that the host shows above this one, in its ``style``.
    ///
    /// When the navigator changes, this property follows one step at a time: see ``Navigator``. If
    /// the user closes the layer above, the host calls ``close()`` of that layer.
    public internal(set) var above: Layer? {
        get { observed.above }
        set {
            observed.above = newValue
            if let newValue { lastAbove = newValue.id }
        }
    }

    /// The ID of the layer or dialog that is above this layer or was the last to be there.
    private var lastAbove: Layer.ID?

    /// The layer above, if it has this style, for a binding of SwiftUI.
    ///
    /// A host that writes `nil` reports that the user closed the layer with the ID `shown`, as
    /// ``close()`` does. So a late or repeated report does not close the next layer. Any other
    /// value is refused, and the truth is published again.
    ///
    /// - Parameters:
    ///   - shown: the ID of the layer that the host shows above this one.
    ///   - style: the style of the layers that the binding is for.
    ///   - isPopover: whether the binding is for popovers only, or for all others; `nil` for both.
    package subscript(
        above shown: Layer.ID?,
        as style: PresentationStyle,
        isPopover isPopover: Bool? = nil
    ) -> Layer? {
        get {
            guard let above, above.style == style else { return nil }
            return isPopover == nil || isPopover == above.form.isPopover ? above : nil
        }
        set {
            let current = self[above: shown, as: style, isPopover: isPopover]
            if newValue == nil, let current, current.id == shown { return current.close() }
            if newValue != nil, newValue !== current { publish() }
        }
    }

    /// Reports that the user closed this layer.
    ///
    /// If the host does not show the layer, or if the layer is already leaving, nothing changes.
    /// The base cannot be closed. The layer leaves with all its places and all layers above it.
    /// Places that were pushed while the user closed the layer also leave, although the user has
    /// not seen them. A place that is pushed after the report is shown in the layer below.
    public func close() { navigator?.reportEnd(of: self) }

    /// Reports that the host now shows this layer.
    public func appeared() { navigator?.report(.appeared(id)) }

    /// A closure that reports that nothing is above this layer any longer, for example for
    /// `onDismiss`.
    ///
    /// The report is about the layer or dialog that was above when the host read this property. So
    /// if a host keeps the closure, or calls it twice, this has no effect on the next layer.
    public var uncovered: () -> Void {
        let gone = lastAbove
        return { if let gone { self.navigator?.report(.uncovered(gone)) } }
    }

    // MARK: Dialogs

    /// The dialog that the host shows above this layer; `nil` if there is none.
    ///
    /// When it has left the screen, the host reports it with ``uncovered``, whoever has ended it.
    public internal(set) var dialog: PresentedDialog? {
        get { observed.dialog }
        set {
            let old = contents.dialog
            changes.notify {
                contents.dialog = newValue
                if newValue == nil { contents.leavingDialog = old?.id }
            }
            if let newValue { lastAbove = newValue.id }
        }
    }

    /// The ID of the dialog that has left, until the host reports that it has gone.
    ///
    /// A host that draws in updates reports it in the update that draws this change.
    package internal(set) var leavingDialog: PresentedDialog.ID? {
        get { observed.leavingDialog }
        set { observed.leavingDialog = newValue }
    }

    /// Whether a dialog is shown above this layer, for a binding of SwiftUI.
    ///
    /// A host that writes `false` reports that the dialog with the ID `shown` is hidden, as
    /// ``PresentedDialog/hide()`` does. So a late or repeated report does not hide the next dialog.
    /// Writing `true` changes nothing.
    ///
    /// - Parameters:
    ///   - shown: the ID of the dialog that the host shows.
    ///   - style: the style of the dialogs that the binding is for; `nil` for all.
    package subscript(isAsking shown: PresentedDialog.ID?, as style: DialogStyle? = nil) -> Bool {
        get { dialog != nil && (style == nil || style == dialog?.style) }
        set {
            guard !newValue, let dialog, dialog.id == shown, self[isAsking: shown, as: style] else { return }
            dialog.hide()
        }
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
