import BackplaneConcurrency

// Reports of a host, and the steps in which the shown layers follow the orders.
extension Navigator {
    /// The longest wait for a report of the host.
    ///
    /// A transition of iOS takes about half a second, and longer on a busy device. A step that
    /// follows too early is lost, so the limit is only for reports that never come.
    private static var reportLimit: Duration { .seconds(3) }

    /// Takes the path that a host has written while it showed the places with these IDs.
    func report(path: [Place<Screen>], shown: [Int], of stack: Stack<Screen>) {
        let ids = path.map(\.id)
        // A kept host of a stack that has left would report again what is published.
        if ids == shown { return }
        perform {
            // A stack that has left may still be on the screen, in a transition.
            let isThere = self.layers.contains { $0.stacks.contains { $0 === stack } }
            guard isThere, shown.starts(with: ids) else { return stack.publish() }
            let gone = shown.dropFirst(ids.count)
            guard let height = stack.pushed.firstIndex(where: { gone.contains($0.id) }) else { return }
            self.end(self.pop(stack, to: height), .byUser)
        }
    }

    /// Takes the selection that a host has written.
    func report(selection: Stack<Screen>.ID, of layer: Layer<Screen>) {
        perform {
            let isThere = self.layers.contains { $0 === layer }
            guard isThere, let stack = layer.stacks.first(where: { $0.id == selection }) else {
                return layer.publish()
            }
            if stack === layer.stack {
                self.end(self.pop(stack, to: 0), .byUser)
            } else {
                layer.selected = selection
            }
        }
    }

    /// Takes the report that the user closed a layer.
    func reportEnd(of layer: Layer<Screen>) {
        perform {
            guard let below = self.shownLayers.first(where: { $0.above === layer }) else { return }
            self.presentation.hide(layer.id)
            below.above = nil
            self.shownLayers.removeSubrange(self.presentation.shown.count...)
            // A layer that is leaving already is no longer among the layers.
            let index = self.layers.firstIndex { $0 === layer }
            let left = index.map { self.removeLayers(above: $0 - 1) } ?? []
            self.limitStep()
            self.settle(left, .byUser)
        }
    }

    /// Takes the report that the host shows a place.
    func reportAppearance(of place: Place<Screen>) {
        for layer in asked { for stack in layer.stacks { stack.rootAppeared(place) } }
    }

    /// Changes the root of a stack, whose path then waits if the host draws in updates.
    func setRoot(_ root: Place<Screen>?, of stack: Stack<Screen>) {
        let isAwaited = presentation.isStepwise && stack.mayBeDrawn && root != nil
        stack.setRoot(root, awaited: isAwaited)
        guard isAwaited, let root else { return }
        ifLate { [weak stack, weak root] _ in
            if let root { stack?.rootAppeared(root) }
        }
    }

    /// Takes a report about the end of a step.
    func report(_ report: PresentationStateMachine.Report) {
        perform {
            self.presentation.take(report)
            for layer in self.asked {
                if let dialog = layer.leavingDialog, report == .uncovered(dialog) { layer.leavingDialog = nil }
            }
            self.advance()
        }
    }

    /// Takes the steps that are possible now.
    func advance() {
        while let step = presentation.next(toward: layers.map(\.id), isAsking: isAsking) {
            switch step {
            case .drop(let index):
                shownLayers[index].above = nil
                shownLayers.removeSubrange((index + 1)...)
            case .raise(let index):
                shownLayers[index - 1].above = layers[index]
                shownLayers.append(layers[index])
            }
            limitStep()
        }
        showDialogs()
    }

    /// Whether a dialog is above the highest shown layer, or has left it without a report.
    private var isAsking: Bool {
        let layer = shownLayers[shownLayers.count - 1]
        return layer.dialog != nil || layer.leavingDialog != nil
    }

    /// Ends the current step after a while, if the host does not report its end.
    private func limitStep() {
        guard presentation.awaited != nil else { return }
        let number = presentation.number
        ifLate { navigator in
            navigator.perform {
                navigator.presentation.endStep(number)
                navigator.advance()
            }
        }
    }

    /// Acts after the longest wait for a report; the action does nothing if the report has come.
    func ifLate(_ action: @escaping (Navigator) -> Void) {
        let call = OwnerCall(on: owner) { [weak self] in
            if let self { action(self) }
        }
        call(after: Self.reportLimit, clock: clock)
    }
}
