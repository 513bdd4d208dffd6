import Backplane
import BackplaneConcurrency

/// A dialog that a host shows above a layer: see ``Layer/dialog``.
///
/// The host draws the texts and the buttons, and calls ``choose(_:)``. In SwiftUI:
///
/// ```swift
/// ForEach(dialog.buttons) { button in
///     Button(button.label) { dialog.choose(button.id) }
/// }
/// ```
///
/// **Isolation.** A dialog belongs to the actor of its navigator, and is not `Sendable`.
public final class PresentedDialog: Identifiable {
    /// A button of a dialog.
    public struct Button: Hashable, Identifiable, Sendable {
        /// The position of the button, from 0.
        public let id: Int
        /// The label of the button.
        public let label: String
        /// The role of the button.
        public let role: DialogRole
    }

    /// The ID of the dialog; no other place, layer, stack or dialog in the process has ever had it.
    public let id = newID()

    /// The question in a few words.
    public let title: String
    /// The information that the user needs to answer.
    public let message: String
    /// How the dialog is shown.
    public let style: DialogStyle
    /// The buttons in the order they are shown; there is at least one.
    ///
    /// At most one button has the role ``DialogRole/cancel``.
    public let buttons: [Button]

    /// The number of buttons that answer, which are the first ones.
    private let choiceCount: Int

    /// The lifetime of the place that was on top when the question was asked.
    let place: Lifetime?

    private let outcome = SharedResult()
    private let onHide: (PresentedDialog) -> Void
    private let onEnd: (PresentedDialog) -> Void

    init<Answer>(
        _ dialog: Dialog<Answer>,
        at place: Lifetime?,
        onHide: @escaping (PresentedDialog) -> Void,
        onEnd: @escaping (PresentedDialog) -> Void
    ) {
        title = dialog.title
        message = dialog.message
        style = dialog.style
        // Without a button, a dialog could not be closed.
        let cancel = dialog.cancel ?? (dialog.choices.isEmpty ? "OK" : nil)
        let labels = dialog.choices.map { ($0.label, $0.role) } + (cancel.map { [($0, .cancel)] } ?? [])
        // UIKit ends the process at a second button with the role of cancelling.
        let last = labels.lastIndex { $0.1 == .cancel }
        buttons = labels.enumerated().map { index, button in
            Button(id: index, label: button.0, role: button.1 == .cancel && index != last ? .normal : button.1)
        }
        choiceCount = dialog.choices.count
        self.place = place
        self.onHide = onHide
        self.onEnd = onEnd
    }

    /// Answers the dialog with a button.
    ///
    /// A choice counts even if the host has reported in the same turn that the dialog was hidden.
    /// If the question already has its outcome, this does nothing.
    ///
    /// - Parameter button: the ID of one of ``buttons``; any other ID does nothing.
    public func choose(_ button: Button.ID) {
        guard buttons.indices.contains(button) else { return }
        resolve(Outcome(choice: button < choiceCount ? button : nil))
    }

    /// Reports that the dialog is no longer on the screen: the user hid it, or other code took it
    /// away.
    ///
    /// The question ends without an answer, unless ``choose(_:)`` follows in the same turn. If the
    /// dialog is not shown, this does nothing.
    public func hide() { onHide(self) }

    /// Ends the dialog without an answer.
    func cancel() { resolve(Outcome(choice: nil)) }

    /// Returns the position of the choice, or `nil` if there is no answer.
    func choice() async -> Int? {
        let outcome = await outcome.wait(as: 1)
        // The task may have been cancelled, and then the dialog is still shown.
        onEnd(self)
        return outcome.flatMap { uncheckedDowncast($0, to: Outcome.self) }?.choice
    }

    private func resolve(_ outcome: Outcome) {
        self.outcome.resolve(outcome)
        onEnd(self)
    }
}

private final class Outcome: Sendable {
    let choice: Int?

    init(choice: Int?) {
        self.choice = choice
    }
}
