import BackplaneNavigation
import Screens

/// The part of a stored window that is not restored yet.
///
/// **Isolation.** It belongs to its window, and is not `Sendable`.
final class WindowRestoration {
    /// The record to restore from; `nil` for a new window, and after the restoration.
    private(set) var record: WindowRecord?
    /// The stored screens that are not shown again yet.
    private var stack: [WindowRecord.Place]?
    private var task: Task<Bool, Never>?

    init(_ record: WindowRecord?) {
        self.record = record
    }

    /// Starts the restoration on the first call; later calls return the same task.
    ///
    /// - Parameter begin: starts the task that restores the record.
    /// - Returns: the task; `nil` for a new window, and after ``end()``.
    func start(_ begin: (WindowRecord) -> Task<Bool, Never>) -> Task<Bool, Never>? {
        if task == nil, let record {
            stack = record.stack.isEmpty ? nil : record.stack
            task = begin(record)
        }
        return task
    }

    /// Ends the restoration of boards; the screens may still need sorting.
    func finish() { record = nil }

    /// Drops the task, which returns next.
    func end() { task = nil }

    /// Discards the stored screens, because the user has opened another page.
    func discardStack() { stack = nil }

    /// Returns the screens to store: the stored ones until they are shown, and then the shown ones.
    ///
    /// - Parameters:
    ///   - navigator: the navigator with the shown screens.
    ///   - isWaiting: whether a board waits at a gate, so that the user was not at the shown
    ///     screens.
    /// - Returns: the places of the screens, the root first.
    func places(of navigator: ScreenNavigator, isWaiting: Bool) -> [WindowRecord.Place] {
        if let stack { return stack }
        if isWaiting { return [] }
        return navigator.layers.flatMap { layer in
            layer.stacks.flatMap(\.places).map { WindowRecord.Place(path: $0.screen.path, isModal: layer.style != nil) }
        }
    }

    /// Sorts the screens in their stored order, as soon as no activation waits at a gate.
    ///
    /// - Parameters:
    ///   - navigator: the navigator with the shown screens.
    ///   - isWaiting: whether an activation waits at a gate.
    /// - Returns: the path of the stored top screen if no restored board shows it, so that the
    ///   window opens it; otherwise `nil`.
    func arrange(_ navigator: ScreenNavigator, isWaiting: @autoclosure () -> Bool) -> String? {
        guard let stack, navigator.top != nil, !isWaiting() else { return nil }
        self.stack = nil
        let places = stack.filter { !$0.isModal }
        navigator.arrange(by: places.map(\.path)) { $0.path }
        let top = navigator.base.stack.places.last
        guard let wanted = places.last, wanted.path != top?.screen.path else { return nil }
        return wanted.path
    }
}
