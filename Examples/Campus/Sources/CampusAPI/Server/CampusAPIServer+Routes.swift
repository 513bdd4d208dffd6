import Hummingbird

extension CampusAPIServer {
    /// Returns all routes of the API; routes for a user's data require an access token.
    static func router(database: CampusDatabase, configuration: Configuration) throws -> Router<APIContext> {
        let sessions = SessionStore(
            pool: database.pool,
            accessTokenLifetime: configuration.accessTokenLifetime,
            sessionLifetime: configuration.sessionLifetime,
            now: configuration.now
        )

        let router = Router(context: APIContext.self)
        router.addMiddleware {
            RequestLogMiddleware()
            ErrorBodyMiddleware()
        }
        let api = router.group()
        if let faults = configuration.faults {
            let injector = FaultInjector(faults, clock: configuration.clock)
            FaultRoutes(injector: injector).add(to: router)
            api.add(middleware: FaultMiddleware(injector: injector))
        }
        let catalog = CatalogStore(pool: database.pool)
        PublicRoutes(pool: database.pool, catalog: catalog).add(to: api)
        try SessionRoutes(
            accounts: AccountStore(pool: database.pool),
            sessions: sessions,
            verifier: PasswordVerifier(cost: configuration.passwordCost),
            throttle: LoginThrottle(
                attempts: configuration.loginAttempts,
                window: configuration.loginWindow,
                now: configuration.now
            )
        ).add(to: api)

        let signedIn = api.group()
            .add(middleware: BearerMiddleware(sessions: sessions))
            .group(context: SignedInContext.self)
        UserSessionRoutes(sessions: sessions).add(to: signedIn)
        let writer = IdempotentWriter(pool: database.pool, now: configuration.now)
        CourseRoutes(courses: CourseStore(pool: database.pool), writer: writer).add(to: signedIn)
        MessageRoutes(
            contacts: ContactStore(pool: database.pool),
            messages: MessageStore(pool: database.pool),
            writer: writer
        ).add(to: signedIn)
        ShopRoutes(
            favorites: FavoriteStore(pool: database.pool, catalog: catalog),
            purchases: PurchaseStore(pool: database.pool, catalog: catalog),
            writer: writer
        ).add(to: signedIn)
        return router
    }
}
