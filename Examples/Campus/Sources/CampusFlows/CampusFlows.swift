import AgendaInterface
public import Backplane
import CatalogInterface
import ComposerInterface
import CourseInterface
import DashboardInterface
import LoginInterface
import ProductInterface
import SettingsInterface

/// How Campus's features lead to one another, drawn by their interfaces alone: the same in every host and in tests.
///
/// ``SessionFlows`` has those inside the session.
public struct CampusFlows: BoardModule {
    /// The flows.
    public init() {}

    /// Says what is inside the session and how it is entered, and draws the flows and the links that lead there.
    public func register(on motherboard: Motherboard) {
        motherboard.registerScope(.session, enteredBy: .login) { account in account }
        motherboard.declare(
            .dashboard,
            .course,
            .composer,
            .settings,
            .appointments,
            .openTodos,
            .purchase,
            .favorite,
            inside: .session
        )
        motherboard.registerFlowSteps(.catalog ->>> .product ->>> .composer)
        motherboard.registerLink("course/{id}", to: .course)
        motherboard.registerLink("settings", to: .settings)
        // The dialogs are steps of the composer: who comes to their address by another way begins at the beginning.
        for link: LinkTemplate in ["compose", "compose/recipients", "compose/question"] {
            motherboard.registerLink(link, to: .composer) { _ in "" }
        }
    }
}
