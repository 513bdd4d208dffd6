public import Backplane
public import BackplaneFeatures
public import BackplaneNavigation
public import CampusModels
import CourseInterface
public import CourseModels
public import Screens

/// The course feature.
public struct CourseModule: BoardModule {
    let navigator: ScreenNavigator
    let loading: CourseLoading
    let todos: RecordStore<Course.ID, [Todo]>?

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigator: the navigator that shows the screen.
    ///   - loading: loads the course and its sections.
    ///   - todos: the store of the window's to-dos, which sends each `TickTodo` to the server.
    ///     Without a store, to-dos are read-only.
    public init(
        navigator: ScreenNavigator,
        loading: CourseLoading,
        todos: RecordStore<Course.ID, [Todo]>? = nil
    ) {
        self.navigator = navigator
        self.loading = loading
        self.todos = todos
    }

    /// Registers the course board.
    public func register(on motherboard: Motherboard) {
        motherboard.register(reuse: .perActivation) { slot in CourseBoard(slot: slot, module: self) }
    }
}
