/// A loader or a list of a store, whose observers are told of a change when all of it has been applied.
protocol StoreObserver: AnyObject {
    /// Forgets what it has computed from what was there before the change.
    func forget()

    /// Tells observers, who may look at once.
    func tell()
}
