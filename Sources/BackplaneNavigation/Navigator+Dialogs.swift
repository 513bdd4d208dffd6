import BackplaneConcurrency

extension Navigator {
    /// Asks the user a question in a dialog above the highest layer, and returns the answer.
    ///
    /// Each question has one outcome. A layer shows one dialog at a time, and others wait for their
    /// turn. The question belongs to the place that is on top now, and ends when that place leaves.
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
        let presented = PresentedDialog(dialog, at: layer.stack.top?.lifetime) { [weak self, weak layer] dialog in
            if let self, let layer { self.hide(dialog, of: layer) }
        } onEnd: { [weak self, weak layer] dialog in
            if let self, let layer { self.remove(dialog, from: layer) }
        }
        perform {
            let isThere = self.layers.contains { $0 === layer }
            guard isThere, !self.isClosed else { return presented.cancel() }
            layer.dialogs.append(presented)
            self.showDialog(of: layer)
        }
        guard let choice = await presented.choice() else { throw CancellationError() }
        return dialog.choices[choice].answer
    }

    /// Takes the report that a dialog of a layer is hidden.
    private func hide(_ dialog: PresentedDialog, of layer: Layer<Screen>) {
        guard layer.dialog === dialog else { return }
        layer.dialog = nil
        layer.isChangingDialogs = true
        // A framework may report the choice after the hiding, in the same turn.
        _ = startTask(on: owner) {
            dialog.cancel()
            layer.isChangingDialogs = false
            self.showDialog(of: layer)
        }
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

    private func showDialog(of layer: Layer<Screen>) {
        guard !layer.isChangingDialogs, layer.dialog == nil, let next = layer.dialogs.first else { return }
        layer.dialog = next
    }

    private func remove(_ dialog: PresentedDialog, from layer: Layer<Screen>) {
        layer.dialogs.removeAll { $0 === dialog }
        guard layer.dialog === dialog else { return }
        layer.dialog = nil
        layer.isChangingDialogs = true
        // A framework may report in the same turn that this dialog is hidden, which must not hide
        // the next one.
        _ = startTask(on: owner) {
            layer.isChangingDialogs = false
            self.showDialog(of: layer)
        }
    }
}
