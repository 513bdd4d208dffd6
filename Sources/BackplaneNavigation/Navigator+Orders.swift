extension Navigator {
    /// Shows `screen` as the root of the base, and removes all other places.
    ///
    /// - Parameter screen: the new root.
    /// - Returns: the place of the root.
    @discardableResult
    public func setRoot(_ screen: Screen) -> Place<Screen> {
        setTabs([screen])[0]
    }

    /// Shows a tab for each of `screens` in the base, selects the first tab, and removes all other
    /// places.
    ///
    /// - Parameter screens: the roots of the tabs; without any, the window is empty.
    /// - Returns: the places of the roots.
    @discardableResult
    public func setTabs(_ screens: [Screen]) -> [Place<Screen>] {
        let roots = screens.map { Place($0, in: self) }
        perform {
            guard self.admit(roots) else { return }
            let left = self.removeLayers(above: 0) + self.base.places.reversed()
            if roots.count < 2, self.base.stacks.count == 1 {
                let stack = self.base.current
                self.setRoot(roots.first, of: stack)
                if !stack.pushed.isEmpty { stack.change { $0 = [] } }
            } else if roots.isEmpty {
                self.base.stacks = [Stack(root: nil, in: self)]
                self.base.selected = nil
            } else {
                self.base.stacks = roots.map { Stack(root: $0, in: self) }
                self.base.selected = nil
                self.awaitRootOfOnlyTab()
            }
            self.settle(left, .ordered)
        }
        return roots
    }

    /// Shows `screen` above the current place, in the highest layer and its selected tab.
    ///
    /// In an empty window, `screen` becomes the root.
    ///
    /// - Parameter screen: the new highest place.
    /// - Returns: the place.
    @discardableResult
    public func push(_ screen: Screen) -> Place<Screen> {
        let place = Place(screen, in: self)
        perform { self.add(place) }
        return place
    }

    /// Shows `screen` in a sheet or a cover above the highest layer.
    ///
    /// - Parameters:
    ///   - screen: the root of the new layer.
    ///   - style: how the layer is shown.
    ///   - form: the form of a sheet, such as its heights or a popover. A host that has no such
    ///     form shows its usual sheet.
    ///   - pinned: whether ``uncover()`` keeps the layer, for example while the user's text is not
    ///     saved. Links are refused meanwhile.
    /// - Returns: the place of the root.
    @discardableResult
    public func present(
        _ screen: Screen,
        as style: PresentationStyle = .sheet,
        form: SheetForm = .automatic,
        pinned: Bool = false
    ) -> Place<Screen> {
        let place = Place(screen, in: self)
        perform {
            guard self.admit([place]) else { return }
            self.layers.append(Layer(root: place, style: style, form: form, isPinned: pinned, in: self))
            self.advance()
        }
        return place
    }

    /// Removes a place: see ``Place/dismiss()``.
    func dismiss(_ place: Place<Screen>) {
        perform { _ = self.remove(place) }
    }

    /// Removes the place of a board that has ended, at once if only lifetimes are ending.
    ///
    /// A place that is not there yet, because the order that adds it waits, leaves when it is
    /// added.
    func leave(_ place: Place<Screen>) {
        guard isEnding, !isLeaving else { return dismiss(place) }
        isLeaving = true
        let hasLeft = remove(place)
        isLeaving = false
        if !hasLeft { dismiss(place) }
    }

    /// Goes back to `place`: removes the places above it and the layers above its layer, and
    /// selects its tab.
    ///
    /// - Parameter place: the place that will be the highest. If it has left, nothing changes.
    public func back(to place: Place<Screen>) {
        perform { self.goBack(to: place) }
    }

    /// Goes back to the highest place whose screen satisfies a condition.
    ///
    /// The search begins with the highest layer, and in each layer with the selected tab. If no
    /// screen satisfies the condition, nothing changes.
    ///
    /// - Parameter condition: returns whether the screen is the one to show.
    /// - Returns: the place of the screen, or `nil` if there is none.
    @discardableResult
    public func back(where condition: (Screen) -> Bool) -> Place<Screen>? {
        for layer in layers.reversed() {
            for stack in [layer.stack] + layer.stacks.filter({ $0 !== layer.stack }) {
                guard let place = stack.places.last(where: { condition($0.screen) }) else { continue }
                back(to: place)
                return place
            }
        }
        return nil
    }

    /// Removes all layers above the base, and all places above the root of its selected tab.
    public func returnHome() {
        perform {
            let left = self.removeLayers(above: 0) + self.pop(self.base.stack, to: 0)
            self.settle(left, .ordered)
        }
    }

    /// Selects the tab of `place` in its layer, and removes the layers above.
    ///
    /// - Parameter place: a place in the tab. If it has left, nothing changes.
    public func select(_ place: Place<Screen>) {
        perform {
            guard let (index, stack) = self.position(of: place) else { return }
            self.select(stack, in: self.layers[index])
            self.settle(self.removeLayers(above: index), .ordered)
        }
    }

    /// Removes the layers above the highest pinned layer.
    ///
    /// If no layer is pinned, it removes all layers above the base, and the dialogs of the base.
    ///
    /// Call this before a deep link shows its screen, so that the screen does not appear inside a
    /// sheet or below a question of another screen.
    ///
    /// - Returns: whether no layer is pinned, so that only the base is left, without a dialog.
    @discardableResult
    public func uncover() -> Bool {
        let isAnyPinned = layers.contains(where: \.isPinned)
        perform {
            let pinned = self.layers.lastIndex(where: \.isPinned)
            let left = self.removeLayers(above: pinned ?? 0)
            if pinned == nil { self.cancelDialogs(of: self.base) }
            self.settle(left, .ordered)
        }
        return !isAnyPinned
    }

    /// Sorts the places of the base's selected tab by these keys, and removes the places without a
    /// key.
    ///
    /// Use this after a restoration, because the boards can show their screens in any order. If
    /// several places have the same key, the lowest one comes first. If no place has one of the
    /// keys, nothing changes.
    ///
    /// - Parameters:
    ///   - keys: the keys in the order of the places, the root first.
    ///   - key: returns the key of a screen.
    public func arrange<Key: Equatable>(by keys: [Key], of key: @escaping (Screen) -> Key?) {
        perform {
            let stack = self.base.current
            var others = stack.places
            let kept = keys.compactMap { wanted in
                others.firstIndex { key($0.screen) == wanted }.map { others.remove(at: $0) }
            }
            guard !kept.isEmpty, kept != stack.places else { return }
            if stack.lowest != kept[0] { self.setRoot(kept[0], of: stack) }
            stack.change { $0 = Array(kept.dropFirst()) }
            self.end(others.reversed(), .ordered)
        }
    }

    /// Removes all places, and ends the navigator's own lifetime.
    ///
    /// Later orders return places that have ended, so a board that is paired with such a place
    /// completes at once. Later questions throw `CancellationError`.
    public func close() {
        perform {
            guard !self.isClosed else { return }
            self.isClosed = true
            let left = self.removeLayers(above: 0) + self.base.places.reversed()
            self.base.stacks = [Stack(root: nil, in: self)]
            self.base.selected = nil
            self.cancelDialogs(of: self.base)
            self.settle(left, .ordered)
            self.end([self.lifetime])
        }
    }
}

// MARK: - Changes

extension Navigator {
    /// Returns whether places can be added; otherwise ends them.
    private func admit(_ places: [Place<Screen>]) -> Bool {
        if isClosed { end(places.reversed(), .ordered) }
        return !isClosed
    }

    private func add(_ place: Place<Screen>) {
        guard admit([place]) else { return }
        let stack = asked[asked.count - 1].current
        if stack.lowest == nil { setRoot(place, of: stack) } else { stack.change { $0.append(place) } }
    }

    private func goBack(to place: Place<Screen>) {
        guard let (index, stack) = position(of: place) else { return }
        select(stack, in: layers[index])
        let left = removeLayers(above: index)
        let height = (stack.pushed.lastIndex(of: place) ?? -1) + 1
        settle(left + pop(stack, to: height), .ordered)
    }

    /// Returns the index of the layer of a place, and its stack.
    private func position(of place: Place<Screen>) -> (layer: Int, stack: Stack<Screen>)? {
        for index in asked.indices.reversed() {
            let layer = asked[index]
            // The usual place is the highest one.
            if layer.current.pushed.last === place { return (index, layer.current) }
            if let stack = layer.stacks.first(where: { $0.places.contains(place) }) { return (index, stack) }
        }
        return nil
    }

    /// Removes a place, and returns whether it was there.
    private func remove(_ place: Place<Screen>) -> Bool {
        guard let (index, stack) = position(of: place) else { return false }
        if let height = stack.pushed.lastIndex(where: { $0 === place }) {
            stack.change { _ = $0.remove(at: height) }
            end([place], .ordered)
        } else if index > 0 {
            settle(removeLayers(above: index - 1), .ordered)
        } else {
            removeRoot(of: stack)
            end([place], .ordered)
        }
        return true
    }

    private func select(_ stack: Stack<Screen>, in layer: Layer<Screen>) {
        if layer.stack !== stack { layer.selected = stack.id }
    }

    /// Removes the root of a stack of the base; the place above becomes the root.
    private func removeRoot(of stack: Stack<Screen>) {
        if let next = stack.pushed.first {
            setRoot(next, of: stack)
            stack.change { $0.removeFirst() }
        } else if base.stacks.count > 1 {
            base.stacks.removeAll { $0 === stack }
            awaitRootOfOnlyTab()
        } else {
            setRoot(nil, of: stack)
        }
    }

    /// Makes the path of the only stack wait for its root, because the host may draw the stack in
    /// place of another one.
    private func awaitRootOfOnlyTab() {
        if base.stacks.count == 1 { setRoot(base.current.lowest, of: base.current) }
    }

    /// Removes the places of a stack above the first `count` pushed ones, and returns them, the
    /// highest first.
    func pop(_ stack: Stack<Screen>, to count: Int) -> [Place<Screen>] {
        let left = stack.pushed.dropFirst(count)
        if !left.isEmpty { stack.change { $0.removeSubrange(count...) } }
        return left.reversed()
    }

    /// Removes the layers above an index, and returns their places, the highest first.
    func removeLayers(above index: Int) -> [Place<Screen>] {
        let removed = layers.dropFirst(index + 1)
        guard !removed.isEmpty else { return [] }
        layers.removeSubrange((index + 1)...)
        for layer in removed.reversed() { cancelDialogs(of: layer) }
        return removed.reversed().flatMap { $0.places.reversed() }
    }

    /// Lets the shown layers follow, and ends the places that left.
    func settle(_ left: [Place<Screen>], _ dismissal: DismissalReason) {
        advance()
        end(left, dismissal)
    }
}
