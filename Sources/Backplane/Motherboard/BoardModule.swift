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
    /// The type of ``identity-swift.property``.
    associatedtype Identity: Hashable = ObjectIdentifier

    /// The value that tells two instances of this type apart.
    ///
    /// A motherboard takes one instance of each type and identity. By default all instances of a
    /// type have the same identity. A module that is configured to register different boards each
    /// time has one of its own:
    ///
    /// ```swift
    /// struct FeedModule: BoardModule {
    ///     let board: BoardID<Feed>
    ///     var identity: BoardID<Feed> { board }
    ///
    ///     func register(on motherboard: Motherboard) {
    ///         motherboard.register(board) { slot in FeedBoard(slot: slot) }
    ///     }
    /// }
    ///
    /// motherboard.install(FeedModule(board: .news), FeedModule(board: .events))
    /// ```
    var identity: Identity { get }

    /// Registers everything the feature consists of. Called once, by
    /// ``Motherboard/install(_:_:fileID:line:)``.
    func register(on motherboard: Motherboard)
}

extension BoardModule where Identity == ObjectIdentifier {
    /// The type alone, so that a second instance of it is refused.
    public var identity: ObjectIdentifier { ObjectIdentifier(Self.self) }
}

/// Key under which a motherboard remembers an installed module.
struct ModuleKey: Hashable {
    private let type: ObjectIdentifier
    private let identity: AnyHashable

    init<Module: BoardModule>(_ module: Module) {
        type = ObjectIdentifier(Module.self)
        identity = AnyHashable(module.identity)
    }
}
