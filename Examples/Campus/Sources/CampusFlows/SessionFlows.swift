import AgendaInterface
public import Backplane
import ComposerInterface
import CourseInterface
import DashboardInterface
import RootInterface
import Screens

/// The flows between the features inside the session.
public struct SessionFlows: BoardModule {
    /// Creates the module.
    public init() {}

    /// Registers all flows between these features.
    public func register(on motherboard: Motherboard) {
        motherboard.registerFlow(
            from: Dashboard.id,
            leadingTo: CoursePage.id,
            .appointments,
            .openTodos
        ) { output, motherboard in
            switch output {
            case .open(let course): motherboard.activate(CoursePage.id, with: course)
            case .needsWeek:
                motherboard.activate(.appointments)
                motherboard.activate(.openTodos)
            }
        }
        motherboard.registerCombinedFlow(.appointments, .openTodos, leadingTo: Dashboard.id) {
            motherboard,
            appointments,
            openTodos in
            let week = Dashboard.Week(appointments: appointments, openTodos: openTodos)
            motherboard.send(.show(week), to: Dashboard.id)
        }
        for (count, other) in [(BoardID<Agenda>.appointments, BoardID<Agenda>.openTodos), (.openTodos, .appointments)] {
            motherboard.registerCompletionFlow(count) { completion, motherboard in
                guard let error = completion.error else { return }
                // Otherwise its count would be kept, and shown with the next one of this board.
                motherboard.complete(other, .cancelled)
                let reason = DisplayError.message(of: error, else: "The week could not be loaded.")
                motherboard.send(.failWeek(reason), to: Dashboard.id)
            }
        }
        motherboard.registerFlow(from: Composer.id, leadingTo: Dashboard.id) { _, motherboard in
            // If a link opened the composer, there is no dashboard below it to return to.
            if !motherboard.isLive(Dashboard.id) { motherboard.sendAction(AppAction.returnHome) }
        }
    }
}
