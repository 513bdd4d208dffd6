import BackplaneConcurrency

extension Motherboard {
    /// Adds a value to what a point has, without the feature that shows it naming this one.
    ///
    /// ```swift
    /// struct CourseModule: BoardModule {
    ///     func register(on motherboard: Motherboard) {
    ///         motherboard.register(.course) { slot in CourseBoard(slot: slot) }
    ///         motherboard.contribute(to: .dashboardTiles, order: 20) { Tile(title: "Courses", link: "/courses") }
    ///     }
    /// }
    /// ```
    ///
    /// **Lifetime.** The contribution is withdrawn with its motherboard: what is contributed on a board's nested motherboard goes
    /// with the board, so what is contributed inside a scope goes with the scope. A board that contributes to the motherboard
    /// it is on uses ``Slot/contribute(to:order:_:)``.
    ///
    /// - Parameters:
    ///   - point: what it is added to.
    ///   - order: its place: contributions are in ascending order.
    ///   - value: makes the value, each time that the contributions are read. The motherboard holds it, so it must capture
    ///     neither the motherboard nor, strongly, an object that holds it.
    /// - Returns: a token for ``withdraw(_:)``.
    @discardableResult
    public func contribute<Value>(
        to point: ContributionPoint<Value>,
        order: Int = 0,
        _ value: @escaping () -> Value
    ) -> ContributionToken {
        checkOwner()
        guard !isCompleted else { return ContributionToken {} }
        let contributions =
            existingContributions(to: point.name, of: Value.self) ?? makeContributions(to: point.name, of: Value.self)
        let contribution = TypedContribution(order: order, value)
        scheduler.change(point.name) { contributions.all.append(contribution) }
        return ContributionToken { [weak self, weak contributions, weak contribution] in
            guard let self, let contributions, let contribution else { return }
            guard contributions.all.contains(where: { $0 === contribution }) else { return }
            let earlier = contributions.all
            scheduler.change(point.name) { contributions.all = earlier.filter { $0 !== contribution } }
            drop(earlier)
        }
    }

    /// The values that were contributed to a point, in ascending order.
    ///
    /// The values are of this motherboard, of the motherboards around it, and of the live scopes on any of these. Each call makes
    /// them anew. Of one order, outer ones come before inner ones and earlier ones before later ones.
    ///
    /// **Observation.** Reading takes part in `Observation`: a view that reads this in its `body`, or a closure given to
    /// `withObservationTracking`, is told when a contribution to the point comes or goes anywhere in the tree of motherboards.
    ///
    /// ```swift
    /// for tile in motherboard.contributions(to: .dashboardTiles) { show(tile) }
    /// ```
    public func contributions<Value>(to point: ContributionPoint<Value>) -> [Value] {
        checkOwner()
        scheduler.changes(of: point.name).access()
        return sortedContributions(to: point.name, of: Value.self).map {
            downcast($0, to: TypedContribution<Value>.self).make()
        }
    }

    /// Withdraws a contribution at once; does nothing when it has been withdrawn already.
    public func withdraw(_ token: ContributionToken) {
        checkOwner()
        token.withdraw()
    }

    // Not generic: unspecialized code would look up the types of all that it sorts.

    private func sortedContributions(to point: String, of type: Any.Type) -> [Contribution] {
        var all: [Contribution] = []
        append(to: &all, point, type)
        return all.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(\.element)
    }

    /// Appends what is contributed here and around, the outermost first, and in live scopes, but not inside of `inner`.
    private func append(
        to all: inout [Contribution],
        _ point: String,
        _ type: Any.Type,
        outsideOf inner: Motherboard? = nil
    ) {
        parent?.append(to: &all, point, type, outsideOf: self)
        appendOwn(to: &all, point, type, outsideOf: inner)
    }

    /// Appends what is contributed here and in the live scopes on this motherboard, but not inside of `inner`.
    private func appendOwn(
        to all: inout [Contribution],
        _ point: String,
        _ type: Any.Type,
        outsideOf inner: Motherboard? = nil
    ) {
        if let own = existingContributions(to: point, of: type) { all += own.all }
        for scope in scopes where !scope.isElsewhere {
            guard let nested = scope.liveScope?.nestedIfAny, nested !== inner else { continue }
            nested.appendOwn(to: &all, point, type)
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

    /// Withdraws all that was contributed here.
    func withdrawContributions() {
        let lists = contributionLists
        for list in lists where !list.all.isEmpty {
            let earlier = list.all
            scheduler.change(list.point) { list.all = [] }
            drop(earlier)
        }
    }
}

extension TurnScheduler {
    /// The changes of a point, for those who observe them.
    fileprivate func changes(of point: String) -> PointChanges {
        if let known = points[point] { return known }
        let made = PointChanges()
        points[point] = made
        return made
    }

    /// Makes a change to the contributions to a point, of which observers are told.
    fileprivate func change(_ point: String, _ change: () -> Void) {
        if let observed = points[point] { observed.notify(of: change) } else { change() }
    }
}

extension Slot {
    /// Adds a value to what a point has on the board's motherboard, for as long as the board lives.
    ///
    /// To be called when the board is made: a board that is activated again would contribute again. Does nothing after
    /// completion. Otherwise see ``Motherboard/contribute(to:order:_:)``.
    ///
    /// - Parameters:
    ///   - point: what it is added to.
    ///   - order: its place: contributions are in ascending order.
    ///   - value: makes the value. It is held until the board ends, so it must not capture the board strongly.
    public func contribute<Value>(to point: ContributionPoint<Value>, order: Int = 0, _ value: @escaping () -> Value) {
        guard liveBoard.obeysCaller else { return }
        let token = liveBoard.entry.motherboard.contribute(to: point, order: order, value)
        liveBoard.atEnd { token.withdraw() }
    }
}
