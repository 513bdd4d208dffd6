internal import BackplaneConcurrency
public import Observation

/// Loads a value by its ID and keeps what there is to show of it.
///
/// A feature is given an ID and a closure; the loader does the rest. It knows neither network nor storage, and a view
/// observes it through Observation.
///
/// ```swift
/// @MainActor final class CourseModel {
///     let course: Loader<Course.ID, Course>
///
///     init(load: @escaping (Course.ID) async throws -> Course) {
///         course = Loader(load)
///     }
///
///     func open(_ id: Course.ID) {
///         course.load(id)
///     }
/// }
/// ```
///
/// **Isolation.** A loader is not `Sendable`; it belongs to the actor it is used on, and its closure, its values and all its
/// changes stay there. The actor is learnt from ``load(_:isolation:)``, so a loader can be the stored property of any actor or
/// of a class that lives on one. It is not kept alive by the loader, except while a load is under way.
///
/// With Swift 6.3 and before, write a closure that is formed outside any actor (in a class that is not `@MainActor`) without a
/// capture list: the compiler then runs a closure that has one off its actor (swiftlang/swift#87097).
///
/// **Order.** The state has changed when a method returns. Only the newest load counts: a load of another ID
/// supersedes the one under way, and the older result never lands, even if its closure ignores cancellation.
///
/// **Lifetime.** A loader that goes away cancels its load.
///
/// **Cancellation.** `CancellationError` is never a failure: the state goes back to what it was before the load.
@Observable public final class Loader<ID: Hashable, Value> {
    private let operation: (ID) async throws -> Value
    private var machine = LoadMachine<ID, Value>()
    @ObservationIgnored private var task: Task<Void, Never>?
    @ObservationIgnored private weak var owner: (any Actor)?
    @ObservationIgnored private let waiters = Waiters()

    /// A loader at rest.
    ///
    /// - Parameter load: brings the value of an ID; called on the loader's actor, once per load.
    public init(_ load: @escaping (ID) async throws -> Value) {
        operation = load
    }

    deinit {
        task?.cancel()
    }

    /// What there is to show; observable.
    public var state: LoadState<Value> { machine.state }

    /// The value to show, as ``LoadState/value`` has it; observable.
    public var value: Value? { state.value }

    /// The ID that ``state`` speaks of, nil at first; observable.
    public var id: ID? { machine.id }

    /// Loads the value of `id` on the caller's actor.
    ///
    /// A load of the same ID that is under way is joined; one of another ID is superseded. A value of the same ID that
    /// has been loaded stays visible meanwhile; one of another ID does not.
    ///
    /// Code whose actor the compiler does not know (a synchronous method of a class that lives on *some* actor) does not
    /// compile here; it says which actor it is on with ``load(_:on:)``.
    ///
    /// - Parameters:
    ///   - id: what to load.
    ///   - isolation: the actor to load on; leave it to its default.
    public func load(_ id: ID, isolation: isolated any Actor = #isolation) {
        load(id, on: isolation)
    }

    /// Loads the value of `id` on `owner`, as ``load(_:isolation:)`` does.
    ///
    /// - Parameters:
    ///   - id: what to load.
    ///   - owner: the actor that the caller is running on.
    /// - Precondition: the caller is running on `owner`.
    public func load(_ id: ID, on owner: any Actor) {
        self.owner = owner
        apply { $0.load(id) }
    }

    /// Loads the current ID again, on the actor of the last load, and keeps its value visible meanwhile.
    ///
    /// A load that is under way is superseded rather than joined: it may have begun before the reason to reload. Does
    /// nothing as long as ``id`` is nil.
    public func reload() {
        apply { $0.reload() }
    }

    /// Loads the current ID again, on the actor of the last load, if its last load failed; does nothing otherwise.
    public func retry() {
        apply { $0.retry() }
    }

    /// Cancels the load under way and goes back to the state before it; does nothing at rest.
    public func cancel() {
        apply { $0.cancel() }
    }

    /// Suspends while a load is under way, until one has landed, failed or been cancelled.
    ///
    /// Returns at once when there is none, and when the waiting task is cancelled, which leaves the load alone. A
    /// superseded load does not end the wait, the one that superseded it does. Any number of callers may wait.
    public func settled() async {
        guard machine.state.isLoading else { return }
        await waiters.wait()
    }

    /// Lets the machine take an event, publishes the change if there is one, and then has its effect.
    private func apply(_ event: (inout LoadMachine<ID, Value>) -> LoadMachine<ID, Value>.Effect) {
        var next = machine
        let effect = event(&next)
        if case .nothing = effect { return }
        machine = next
        switch effect {
        case .nothing: break
        case .start(let id, let generation):
            start(id, generation: generation)
        case .cancel:
            task?.cancel()
            waiters.resumeAll()
        case .settle:
            waiters.resumeAll()
        }
    }

    private func start(_ id: ID, generation: Int) {
        guard let owner else {
            preconditionFailure("The actor that a loader's last load ran on is gone. Call load(_:) on the present one.")
        }
        task?.cancel()
        // Captured by name, not in a capture list: with Swift 6.3 a list makes a closure of nonisolated code run off its
        // caller's actor (swiftlang/swift#87097).
        let operation = operation
        let observer = WeakReference(self)
        task = startTask(on: owner) {
            let result: Result<Value, any Error>
            do {
                // Superseded or cancelled before its first step, a load need not reach the closure.
                try Task.checkCancellation()
                result = .success(try await operation(id))
            } catch {
                result = .failure(error)
            }
            observer.object?.apply { $0.finish(generation, with: result) }
        }
    }
}

/// What a task may hold of an object that it must not keep alive.
private struct WeakReference<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object) {
        self.object = object
    }
}
