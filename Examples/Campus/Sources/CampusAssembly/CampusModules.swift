package import Backplane
import BackplaneFeatures
import BackplaneNavigation
package import CampusAccounts
package import CampusDrafts
import CampusFlows
import CampusModels
import CatalogFeature
import LoginFeature
import LoginInterface
import ProductFeature
import ProductInterface
import ProductModels
import RootFeature
package import Screens

/// The public modules, which one window installs, and the factory of the modules for a signed-in
/// user.
package struct CampusModules {
    let navigator: ScreenNavigator
    let service: any CampusService
    /// A closure called when the server accepts a sign-in, before tokens are stored or screens are
    /// shown.
    let onSignIn: @Sendable () async -> Void
    let drafts: DraftStore
    let clock: any Clock<Duration>
    let onAnalyticsEvent: (AnalyticsEvent) -> Void

    /// Creates the modules of one window.
    ///
    /// - Parameters:
    ///   - navigator: the navigator that shows the window's screens.
    ///   - service: the service that the modules use.
    ///   - drafts: the store of drafts; by default they are lost when the process ends.
    ///   - clock: the clock that measures the delay before an unconfirmed mutation is sent again.
    ///   - onSignIn: called when the server accepts a sign-in, before tokens are stored or screens
    ///     are shown.
    ///   - onAnalyticsEvent: receives an event whenever an action of the composer starts or ends.
    package init(
        navigator: ScreenNavigator,
        service: any CampusService,
        drafts: DraftStore = DraftStore(),
        clock: any Clock<Duration> = ContinuousClock(),
        onSignIn: @escaping @Sendable () async -> Void = {},
        onAnalyticsEvent: @escaping (AnalyticsEvent) -> Void = { _ in }
    ) {
        self.navigator = navigator
        self.service = service
        self.drafts = drafts
        self.clock = clock
        self.onSignIn = onSignIn
        self.onAnalyticsEvent = onAnalyticsEvent
    }

    var root: some BoardModule { RootModule(navigator: navigator) }

    package var login: some BoardModule {
        let (service, onSignIn) = (service, onSignIn)
        return LoginModule(
            navigator: navigator,
            account: { await service.account() },
            notice: { await service.notice() },
            signIn: { request in try await service.signIn(with: request, onEntry: onSignIn) }
        )
    }

    package var catalog: some BoardModule {
        CatalogModule(navigator: navigator, loadProducts: service.catalog)
    }

    package var product: some BoardModule {
        let service = service
        return ProductModule(
            navigator: navigator,
            actions: ProductModel.Actions(
                load: service.product,
                purchase: { board, product in try await board.result(of: Purchasing.id, with: product) },
                favorite: { board, change in _ = try await board.result(of: Favouring.id, with: change) },
                share: { page, product in page.show(link: page.path, to: product.title) }
            )
        )
    }

    /// Returns the modules for a signed-in user.
    package func modules(for account: any Account) -> AccountModules {
        AccountModules(
            account: account,
            navigator: navigator,
            drafts: drafts,
            clock: clock,
            onAnalyticsEvent: onAnalyticsEvent
        )
    }

    /// Installs the modules on a window's motherboard, on the window's actor.
    ///
    /// It is the same for every host.
    package func install(on motherboard: Motherboard) {
        motherboard.allowLinks(schemes: ["campus"])
        motherboard.install(CampusFlows(), root, login, catalog, product)
        motherboard.register { slot, account in SessionBoard(slot: slot, modules: modules(for: account)) }
    }

    /// Enters the session of the signed-in user, if there is one, before a window opens its first
    /// link.
    ///
    /// Without this, a public screen that opens first does not know the user.
    package static func enterSession(of service: any CampusService, on motherboard: Motherboard) async {
        guard let account = await service.account(), !motherboard.isLive(Session.id) else { return }
        motherboard.activate(Session.id, with: account)
    }
}
