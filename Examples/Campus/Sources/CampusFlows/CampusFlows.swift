import AgendaInterface
public import Backplane
import CatalogInterface
import ComposerInterface
import CourseInterface
import DashboardInterface
import LoginInterface
import ProductInterface
import SettingsInterface

/// The flows between Campus's features, defined only by their interfaces, for every host and for
/// tests.
///
/// ``SessionFlows`` has the flows inside the session.
public struct CampusFlows: BoardModule {
    /// Creates the module.
    public init() {}

    /// Registers the session scope with its boards, and the public flows and links.
    public func register(on motherboard: Motherboard) {
        motherboard.registerScope(Session.id, enteredBy: Login.id) { account in account }
        motherboard.declare(
            Dashboard.id,
            CoursePage.id,
            Composer.id,
            Settings.id,
            .appointments,
            .openTodos,
            Purchasing.id,
            Favouring.id,
            inside: Session.id
        )
        motherboard.registerFlowSteps(Catalog.id ->>> ProductPage.id ->>> Composer.id)
        motherboard.registerLink(CoursePage.link, to: CoursePage.id)
        motherboard.registerLink("settings", to: Settings.id)
        // The picker is a step of the composer, so its link opens the composer at its first step.
        for link: LinkTemplate in ["compose", "compose/recipients"] {
            motherboard.registerLink(link, to: Composer.id) { _ in "" }
        }
    }
}
