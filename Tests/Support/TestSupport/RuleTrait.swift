public import Testing

/// The rules that a test or a suite covers: see `Documentation/Rules.md`.
public struct RuleTrait: TestTrait, SuiteTrait {
    /// The IDs of the rules.
    public let ids: [String]

    /// Whether the tests of a suite cover the rules, too.
    public var isRecursive: Bool { true }
}

extension Trait where Self == RuleTrait {
    /// Marks a test or a suite with the rules that it covers.
    ///
    /// ```swift
    /// @Test(.rule("B12")) func `a board that sends nothing has no result`() { … }
    /// ```
    ///
    /// - Parameter ids: the IDs of the rules, as in `Documentation/Rules.md`.
    /// - Returns: the trait.
    public static func rule(_ ids: String...) -> Self { Self(ids: ids) }
}
