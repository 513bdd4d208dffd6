import BackplaneConcurrency

extension Motherboard {
    /// Adds a value to a contribution point.
    ///
    /// The feature that shows the values need not know the feature that contributes them.
    ///
    /// ```swift
    /// struct CourseModule: BoardModule {
    ///     func register(on motherboard: Motherboard) {
    ///         motherboard.register { slot in CourseBoard(slot: slot) }
    ///         motherboard.contribute(to: .dashboardTiles, order: 20) {
    ///             Tile(title: "Courses", link: "/courses")
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// **Lifetime.** The contribution ends with its motherboard. A contribution on a board's nested
    /// motherboard ends with the board. So a contribution inside a scope ends with the scope. A
    /// board that contributes to its own motherboard uses ``Slot/contribute(to:order:_:)``.
    ///
    /// - Parameters:
    ///   - point: the contribution point.
    ///   - order: the position of the value: contributions are in ascending order.
    ///   - value: creates the value each time the contributions are read. The motherboard holds
    ///     this closure. So the closure must not capture the motherboard, and must not strongly
    ///     capture an object that holds the motherboard.
    /// - Returns: the registration, for ``remove(_:)``.
    @discardableResult
    public func contribute<Value>(
        to point: ContributionPoint<Value>,
        order: Int = 0,
        _ value: @escaping () -> Value
    ) -> Registration {
        checkOwner()
        guard !isCompleted else { return Registration {} }
        let point = point.name
        let contributions =
            existingContributions(to: point, of: Value.self) ?? makeContributions(to: point, of: Value.self)
        let contribution = Contribution(order: order, value)
        scheduler.change(point) { contributions.all.append(contribution) }
        return Registration { [weak self, weak contributions, weak contribution] in
            guard let self, let contributions, let contribution else { return }
            guard contributions.all.contains(where: { $0 === contribution }) else { return }
            let earlier = contributions.all
            scheduler.change(point) { contributions.all = earlier.filter { $0 !== contribution } }
            drop(earlier)
        }
    }

    /// Returns the values that were contributed to a point, in ascending order.
    ///
    /// The values come from this motherboard, from its ancestors, and from the live scopes on any
    /// of these. Each call creates the values again. If values have the same order, contributions
    /// to an outer motherboard come before those to an inner one, and earlier contributions come
    /// before later ones.
    ///
    /// **Observation.** Reading is tracked by `Observation`. A view that reads this in its `body`
    /// is notified of changes, and so is a closure that you pass to `withObservationTracking`. A
    /// change is a contribution to the point that is added or withdrawn anywhere in the tree of
    /// motherboards.
    ///
    /// ```swift
    /// for tile in motherboard.contributions(to: .dashboardTiles) { show(tile) }
    /// ```
    public func contributions<Value>(to point: ContributionPoint<Value>) -> [Value] {
        checkOwner()
        scheduler.changes(of: point.name).access()
        return sortedContributions(to: point.name, of: Value.self).map {
            uncheckedDowncast($0, to: Contribution<Value>.self).make()
        }
    }

    // Not generic, because unspecialized code would look up the types of all values that it sorts.

    private func sortedContributions(to point: String, of type: Any.Type) -> [AnyContribution] {
        var all: [AnyContribution] = []
        append(to: &all, point, type)
        return all.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(\.element)
    }

    /// Appends the contributions of this motherboard, its ancestors and live scopes, without
    /// `inner`.
    ///
    /// The contributions of the outermost ancestor come first.
    private func append(
        to all: inout [AnyContribution],
        _ point: String,
        _ type: Any.Type,
        outsideOf inner: Motherboard? = nil
    ) {
        parent?.append(to: &all, point, type, outsideOf: self)
        appendOwn(to: &all, point, type, outsideOf: inner)
    }

    /// Appends the contributions of this motherboard and its live scopes, without `inner`.
    private func appendOwn(
        to all: inout [AnyContribution],
        _ point: String,
        _ type: Any.Type,
        outsideOf inner: Motherboard? = nil
    ) {
        if let own = contributionLists.first(where: { $0.point == point }) {
            if ObjectIdentifier(own.type) == ObjectIdentifier(type) { all += own.all } else { reportForeign(own, type) }
        }
        for scope in level.scopes where !scope.isElsewhere {
            guard let nested = scope.liveScope?.nestedIfAny, nested !== inner else { continue }
            nested.appendOwn(to: &all, point, type)
        }
    }

    private func reportForeign(_ contributions: Contributions, _ type: Any.Type) {
        raise(.noSuchPoint, isProblem: true) {
            "The contribution point '\(contributions.point)' has values of type \(contributions.type), and was read for "
                + "\(type). Check where the name comes from."
        }
    }

    private func makeContributions(to point: String, of type: Any.Type) -> Contributions {
        let made = Contributions(to: point, of: type)
        contributionLists.append(made)
        return made
    }

    private func existingContributions(to point: String, of type: Any.Type) -> Contributions? {
        guard let found = contributionLists.first(where: { $0.point == point }) else { return nil }
        CallSite().require(
            ObjectIdentifier(found.type) == ObjectIdentifier(type),
            "Two types share the contribution point '\(point)': \(found.type) and \(type). Rename one of the two points."
        )
        return found
    }

    /// Withdraws all contributions of this motherboard.
    func withdrawContributions() {
        scheduler.withdraw(contributionLists)
    }
}

extension TurnScheduler {
    /// Withdraws all contributions of these lists.
    func withdraw(_ lists: [Contributions]) {
        for list in lists where !list.all.isEmpty {
            let earlier = list.all
            change(list.point) { list.all = [] }
            drop(earlier)
        }
    }

    /// Returns the changes of a point, for its observers.
    fileprivate func changes(of point: String) -> Changes {
        if let known = points[point] { return known }
        let made = Changes()
        points[point] = made
        return made
    }

    /// Changes the contributions to a point and notifies the observers of the point.
    fileprivate func change(_ point: String, _ change: () -> Void) {
        if let observed = points[point] { observed.notify(of: change) } else { change() }
    }
}

extension Slot {
    /// Adds a value to a contribution point of the board's motherboard, for the lifetime of the
    /// board.
    ///
    /// Call this when the board is created. If you call it in each activation, a board that is
    /// activated again contributes again. This does nothing after completion. Everything else is
    /// the same as for ``Motherboard/contribute(to:order:_:)``.
    ///
    /// - Parameters:
    ///   - point: the contribution point.
    ///   - order: the position of the value: contributions are in ascending order.
    ///   - value: creates the value. It is held until the board ends, so it must not capture the
    ///     board strongly.
    public func contribute<Value>(to point: ContributionPoint<Value>, order: Int = 0, _ value: @escaping () -> Value) {
        guard liveBoard.obeysCaller else { return }
        let contribution = liveBoard.entry.motherboard.contribute(to: point, order: order, value)
        liveBoard.atEnd { contribution.remove() }
    }
}
