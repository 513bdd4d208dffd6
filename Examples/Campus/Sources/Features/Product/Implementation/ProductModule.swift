public import Backplane
public import BackplaneNavigation
import ProductInterface
public import ProductModels
public import Screens

/// The public part of the product feature; ``ShoppingModule`` is the part inside the session.
public struct ProductModule: BoardModule {
    let navigator: ScreenNavigator
    let actions: ProductModel.Actions

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigator: the navigator that shows the screens; loaded products are kept until its
    ///     window closes.
    ///   - actions: the actions behind the buttons. The screen shows an error that `purchase`
    ///     throws; the text of a `LocalizedError` is shown as it is.
    public init(navigator: ScreenNavigator, actions: ProductModel.Actions) {
        self.navigator = navigator
        self.actions = actions
    }

    /// Registers the product board and its link.
    public func register(on motherboard: Motherboard) {
        motherboard.register { slot in ProductBoard(slot: slot, module: self) }
        motherboard.registerLink(ProductPage.link, to: ProductPage.id)
    }
}
