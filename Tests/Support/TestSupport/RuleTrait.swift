public import Testing

/// The rules of `Documentation/Rules.md` that a test or a suite covers.
public struct RuleTrait: TestTrait, SuiteTrait {
    /// The IDs of the rules.
    public let ids: [String]

    /// Whether the rules of a suite apply to its tests.
    public var isRecursive: Bool { true }
}

extension Trait where Self == RuleTrait {
    /// Returns a trait with the rules that a test or a suite covers.
    ///
    /// ```swift
    /// @Test(.rule("B12")) func `a board that sends nothing has no result`() { … }
    /// ```
    ///
    /// - Parameter ids: the IDs of the rules, as in `Documentation/Rules.md`.
    /// - Returns: the trait.
    public static func rule(_ ids: String...) -> Self { Self(ids: ids) }
}
