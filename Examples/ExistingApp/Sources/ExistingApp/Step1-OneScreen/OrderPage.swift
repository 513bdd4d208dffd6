import Backplane

/// The screen of an order, for the rest of the app.
nonisolated enum OrderPage: BoardContract {
    typealias Input = Order.ID
}
