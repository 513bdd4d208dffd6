import Hummingbird

extension CampusAPIServer {
    /// Returns all routes of the API; routes for a user's data require an access token.
    static func router(
        database: CampusDatabase,
        configuration: Configuration,
        log: SecurityLog
    ) throws -> Router<APIContext> {
        let sessions = SessionStore(
            pool: database.pool,
            accessTokenLifetime: configuration.accessTokenLifetime,
            sessionLifetime: configuration.sessionLifetime,
            now: configuration.now
        )

        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.addMiddleware {
            RequestMetricsMiddleware()
            RequestLogMiddleware()
            ForwardedClientMiddleware(key: configuration.appKey, log: log)
            ErrorBodyMiddleware(log: log)
            BodyLimitMiddleware()
        }
        let api = router.group()
        if let faults = configuration.faults {
            let injector = FaultInjector(faults, clock: configuration.clock)
            FaultRoutes(injector: injector).add(to: router)
            api.add(middleware: FaultMiddleware(injector: injector))
        }
        let catalog = CatalogStore(pool: database.pool)
        HealthRoutes(database: database, clock: configuration.clock).add(to: api)
        PublicRoutes(catalog: catalog).add(to: api)
        let logins = try LoginChecker(
            accounts: AccountStore(pool: database.pool, now: configuration.now),
            throttle: LoginThrottle(limits: configuration.loginLimits, clock: configuration.clock),
            verifier: PasswordVerifier(
                cost: configuration.passwordCost,
                limits: configuration.passwordLimits,
                check: configuration.checkPassword
            )
        )
        SessionRoutes(logins: logins, sessions: sessions, log: log).add(to: api)

        let signedIn = api.group()
            .add(middleware: BearerMiddleware(sessions: sessions))
            .group(context: SignedInContext.self)
        DeviceSessionRoutes(sessions: sessions, log: log).add(to: signedIn)
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

extension CampusAPIServer.Configuration {
    fileprivate var loginLimits: LoginThrottle.Limits {
        LoginThrottle.Limits(
            perPair: loginAttempts,
            perNetwork: networkLoginAttempts,
            window: loginWindow,
            perAccount: accountLoginAttempts,
            perSurroundings: surroundingsLoginAttempts,
            accountWindow: accountLoginWindow
        )
    }
}
