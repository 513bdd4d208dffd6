import Backplane
import CampusFlows

extension CampusApp {
    /// Fills a window's motherboard, on the window's actor: the same in every host.
    @Sendable static func assemble(_ motherboard: Motherboard, _ modules: CampusModules) {
        motherboard.allowLinks(schemes: ["campus"])
        motherboard.install(CampusFlows())
        motherboard.install(modules.root)
        motherboard.install(modules.login)
        motherboard.install(modules.signOut)
        motherboard.install(modules.dashboard)
        motherboard.install(modules.settings)
        motherboard.install(modules.agenda)
        motherboard.install(modules.course)
        motherboard.install(modules.composer)
        motherboard.install(modules.catalogue)
        motherboard.install(modules.product)
    }
}
