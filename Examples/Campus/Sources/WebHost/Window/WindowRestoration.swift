import Screens

/// The part of a stored window that is not back yet.
///
/// **Isolation.** Belongs to its window; not `Sendable`.
final class WindowRestoration {
    /// The record that the window is restored from; `nil` for a new window and once it is restored.
    private(set) var record: WindowRecord?
    /// The screens that are to be shown again, until they are.
    private var stack: [WindowRecord.Place]?
    private var task: Task<Bool, Never>?

    init(_ record: WindowRecord?) {
        self.record = record
    }

    /// Starts the restoration on the first call; later calls return the same task.
    ///
    /// - Returns: the task, or `nil` for a new window.
    func start(_ begin: (WindowRecord) -> Task<Bool, Never>) -> Task<Bool, Never>? {
        if task == nil, let record {
            stack = record.stack.isEmpty ? nil : record.stack
            task = begin(record)
        }
        return task
    }

    /// Ends the restoration of boards; the screens may still have to be put in order.
    func finish() { record = nil }

    /// Discards the stored screens, because the user has gone somewhere else.
    func discardStack() { stack = nil }

    /// The screens to store: the ones that are not back yet, or else the ones that are shown.
    ///
    /// - Parameter isWaiting: whether a board waits at a gate, so that the shown screens are not where the user was.
    func places(of navigation: Navigation, isWaiting: Bool) -> [WindowRecord.Place] {
        if let stack { return stack }
        if isWaiting { return [] }
        return navigation.stack.map { WindowRecord.Place(path: $0.screen.path, isModal: $0.isModal) }
    }

    /// Puts the screens in their stored order, once nothing waits at a gate any more.
    ///
    /// - Returns: the path of the top screen if no restored board shows it, for the window to open.
    func arrange(_ navigation: Navigation, isWaiting: @autoclosure () -> Bool) -> String? {
        guard let stack, navigation.top != nil, !isWaiting() else { return nil }
        self.stack = nil
        navigation.arrange(by: stack.map(\.path))
        let top = navigation.stack.last { !$0.isModal }
        guard let wanted = stack.last(where: { !$0.isModal }), wanted.path != top?.screen.path else { return nil }
        return wanted.path
    }
}
