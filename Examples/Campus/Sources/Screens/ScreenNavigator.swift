public import BackplaneNavigation

/// The navigator of a window with ``Screen``s of any feature.
public typealias ScreenNavigator = Navigator<any Screen>

extension Navigator where Screen == any Screens.Screen {
    /// The paths of all screens, the lowest first.
    public var paths: [String] { places.map(\.screen.path) }

    /// Goes back to the highest screen of the base with this path, if there is one; sheets do not
    /// count.
    ///
    /// - Parameter path: the path of the screen.
    /// - Returns: whether that screen is on top now.
    @discardableResult
    public func back(to path: String) -> Bool {
        guard let place = base.stack.places.last(where: { $0.screen.path == path }) else { return false }
        back(to: place)
        return true
    }

    /// Removes the place of `screen`, wherever it is: see `Place.dismiss()`.
    ///
    /// - Parameter screen: the screen to remove; if it is not shown, nothing changes.
    public func dismiss(_ screen: any Screens.Screen) {
        places.last { $0.screen === screen }?.dismiss()
    }
}
