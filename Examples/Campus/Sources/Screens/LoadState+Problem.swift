public import BackplaneFeatures

extension LoadState {
    /// The reason why the last load failed, as a text for the user; `nil` if it did not fail.
    public var problem: String? {
        error.map { DisplayError.message(of: $0, else: "This could not be loaded.") }
    }
}
