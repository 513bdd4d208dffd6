import ArgumentParser

/// A command that runs the app alone, with an API on another server.
struct App: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Run the app alone, with an API that runs on another server."
    )

    @OptionGroup var options: AppOptions
    @OptionGroup var shared: AppKeyOption
    @OptionGroup var log: LogOptions
    @Option(help: "The base URL of the API, such as http://127.0.0.1:8081.") var api: String

    func run() async throws {
        let sessions = try options.openSessions()
        let host = try options.host(
            api: api,
            over: Campus.transport.make(),
            key: shared.key(),
            sessions: sessions,
            logger: log.logger("app")
        )
        try await run([host])
    }
}
