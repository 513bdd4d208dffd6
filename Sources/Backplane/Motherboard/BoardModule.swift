/// A type that registers the boards, gates, flows and links of one feature on a motherboard.
///
/// The dependencies of a feature, such as closures and options, are the properties of its module.
/// So they are typed, and the compiler reports a missing one. The boards of the feature can receive
/// the module, so only the module lists the dependencies. A module need not be `Sendable`: it stays
/// on the actor of its motherboard.
///
/// ```swift
/// struct CourseModule: BoardModule {
///     var loadCourse: (Course.ID) async throws -> Course
///
///     func register(on motherboard: Motherboard) {
///         motherboard.register { slot in CourseBoard(slot: slot, module: self) }
///         motherboard.registerLink("course/{id}", to: CoursePage.id)
///     }
/// }
/// ```
public protocol BoardModule {
    /// The type of ``identity-swift.property``.
    associatedtype Identity: Hashable = ObjectIdentifier

    /// The value that distinguishes instances of this type.
    ///
    /// A motherboard accepts one instance of each type and identity. By default, all instances of a
    /// type have the same identity. If each instance registers different boards, give each its own
    /// identity:
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
    /// motherboard.install(FeedModule(board: Feed.id), FeedModule(board: .events))
    /// ```
    var identity: Identity { get }

    /// Registers everything that the feature consists of.
    ///
    /// ``Motherboard/install(_:_:fileID:line:)`` calls this method once.
    func register(on motherboard: Motherboard)
}

extension BoardModule where Identity == ObjectIdentifier {
    /// The identity shared by all instances of the type, so that a second instance is refused.
    public var identity: ObjectIdentifier { ObjectIdentifier(Self.self) }
}

/// The key under which a motherboard remembers an installed module.
struct ModuleKey: Hashable {
    private let type: ObjectIdentifier
    private let identity: AnyHashable

    init<Module: BoardModule>(_ module: Module) {
        type = ObjectIdentifier(Module.self)
        identity = AnyHashable(module.identity)
    }
}
