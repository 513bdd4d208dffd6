import Backplane

/// The form with the address of an order: it receives the current address, and sends the new one.
nonisolated enum AddressForm: BoardContract {
    typealias Input = String
    typealias Output = String
}
