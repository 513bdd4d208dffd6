/// A feature as its assembler sees it: something that registers boards, gates, flows and links on a motherboard.
///
/// What a feature needs (closures that load, options) are the properties of its module, so they are typed and a missing one
/// does not compile. Not `Sendable`: a module lives where its motherboard lives.
///
/// ```swift
/// struct CourseModule: BoardModule {
///     var loadCourse: (Course.ID) async throws -> Course
///
///     func register(on motherboard: Motherboard) {
///         motherboard.register(.course) { slot in CourseBoard(slot: slot, load: loadCourse) }
///         motherboard.registerLink("course/{id}", to: .course)
///     }
/// }
/// ```
public protocol BoardModule {
    /// Registers everything the feature consists of. Called once, by ``Motherboard/install(_:)``.
    func register(on motherboard: Motherboard)
}
