import BackplaneConcurrency

extension Navigator {
    /// Asks the user a question in a dialog above the highest layer, and returns the answer.
    ///
    /// Each question has one outcome. A layer shows one dialog at a time, and others wait for their
    /// turn. In a host with transitions, a dialog waits until the layers above its layer have left
    /// the screen. The question belongs to the place that is on top at the time of the call, and
    /// ends when that place leaves.
    ///
    /// ```swift
    /// guard try await navigator.ask(.keepDraft) == .save else { return }
    /// ```
    ///
    /// - Parameter dialog: the question.
    /// - Returns: the answer of the button that the user chose.
    /// - Throws: `CancellationError` if the user cancels or hides the dialog, the place on top
    ///   leaves, ``uncover()`` prepares for a deep link, the window closes or has closed, or the
    ///   task is cancelled.
    public func ask<Answer>(_ dialog: Dialog<Answer>) async throws -> Answer {
        try Task.checkCancellation()
        let layer = topLayer
        let place = layer.stack.top
        let presented = PresentedDialog(dialog, at: place?.lifetime) { [weak self, weak layer] dialog in
            if let self, let layer { self.hide(dialog, of: layer) }
        } onEnd: { [weak self, weak layer] dialog in
            if let self, let layer { self.remove(dialog, from: layer) }
        }
        perform {
            let isThere = self.layers.contains { $0 === layer }
            // The place may have left before this order's turn.
            guard isThere, !self.isClosed, place?.dismissal == nil else { return presented.cancel() }
            layer.dialogs.append(presented)
            self.advance()
        }
        guard let choice = await presented.choice() else { throw CancellationError() }
        return dialog.choices[choice].answer
    }

    /// Takes the report that a dialog of a layer is hidden.
    private func hide(_ dialog: PresentedDialog, of layer: Layer<Screen>) {
        guard layer.dialog === dialog else { return }
        // A framework may report the choice after the hiding, in the same turn.
        end(dialog, of: layer) { dialog.cancel() }
    }

    /// Cancels all dialogs of a layer.
    func cancelDialogs(of layer: Layer<Screen>) {
        for dialog in layer.dialogs { dialog.cancel() }
    }

    /// Cancels the questions that were asked at places that leave.
    func cancelDialogs(at places: [Place<Screen>]) {
        for layer in asked {
            for dialog in layer.dialogs where places.contains(where: { $0.lifetime === dialog.place }) {
                dialog.cancel()
            }
        }
    }

    /// Shows the next dialog of each layer that can show one now.
    func showDialogs() {
        for layer in asked where presentation.canAsk(above: layer.id, asked: asked.map(\.id)) {
            if layer.leavingDialog == nil, layer.dialog == nil, let next = layer.dialogs.first { layer.dialog = next }
        }
    }

    /// Takes a dialog away.
    ///
    /// The next dialog or layer follows when the host reports that this one has gone; without
    /// transitions, at the end of this turn. A framework loses a layer that is raised in one update
    /// with the end of a dialog, and several turns may pass before an update.
    private func end(_ dialog: PresentedDialog, of layer: Layer<Screen>, then action: @escaping () -> Void = {}) {
        layer.dialog = nil
        layer.dialogs.removeAll { $0 === dialog }
        let isStepwise = presentation.isStepwise
        if isStepwise { ifLate { $0.report(.uncovered(dialog.id)) } }
        _ = startTask(on: owner) {
            action()
            if !isStepwise { self.report(.uncovered(dialog.id)) }
        }
    }

    private func remove(_ dialog: PresentedDialog, from layer: Layer<Screen>) {
        if layer.dialog === dialog { return end(dialog, of: layer) }
        layer.dialogs.removeAll { $0 === dialog }
    }
}
