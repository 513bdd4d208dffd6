import AgendaInterface
public import Backplane
import CatalogueInterface
import ComposerInterface
import CourseInterface
import DashboardInterface
import LoginInterface
import ProductInterface
import RootInterface
import SettingsInterface
import SignOutInterface

/// How Campus's features lead to one another, drawn by their interfaces alone: the same in every host and in tests.
public struct CampusFlows: BoardModule {
    /// The flows.
    public init() {}

    /// Draws every gate and every flow between features.
    public func register(on motherboard: Motherboard) {
        motherboard.gateAll(by: .login, except: .root, .catalogue, .product) { _ in .open }
        motherboard.registerFlowSteps(.catalogue ->>> .product)
        motherboard.registerFlow(
            from: .dashboard,
            leadingTo: .course,
            .composer,
            .settings,
            .signOut,
            .appointments,
            .openTodos
        ) { output, motherboard in
            switch output {
            case .open(let course): motherboard.activate(.course, with: course)
            case .compose: motherboard.activate(.composer)
            case .settings: motherboard.activate(.settings)
            case .logOut: motherboard.activate(.signOut)
            case .refreshed:
                motherboard.activate(.appointments)
                motherboard.activate(.openTodos)
            }
        }
        motherboard.registerCombinedFlow(.appointments, .openTodos, leadingTo: .dashboard) {
            motherboard,
            appointments,
            openTodos in
            let week = Dashboard.Week(appointments: appointments, openTodos: openTodos)
            motherboard.send(.show(week), to: .dashboard)
        }
        motherboard.registerFlow(from: .settings, leadingTo: .signOut) { output, motherboard in
            switch output {
            case .logOut: motherboard.activate(.signOut)
            }
        }
        motherboard.registerFlow(from: .composer, leadingTo: .dashboard, .root) { _, motherboard in
            // Opened by a link, the composer has no dashboard below it to come back to.
            if motherboard.send(.refresh, to: .dashboard) == .notLive { motherboard.activate(.root) }
        }
    }
}
