/// An order of the customer.
nonisolated struct Order: Identifiable, Equatable {
    let id: Int
    let name: String
    var address: String
}

/// The orders of the customer, which a server would know in a real app.
final class Shop {
    private(set) var orders = [
        Order(id: 1042, name: "Lamp", address: "Elm Street 1"),
        Order(id: 1043, name: "Desk", address: "Elm Street 1"),
    ]

    func order(_ id: Order.ID) -> Order? { orders.first { $0.id == id } }

    func deliver(_ id: Order.ID, to address: String) {
        guard let index = orders.firstIndex(where: { $0.id == id }) else { return }
        orders[index].address = address
    }
}
