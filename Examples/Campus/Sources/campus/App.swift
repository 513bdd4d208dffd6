import ArgumentParser

/// Runs the app alone, against an API elsewhere.
struct App: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Run the app alone, against an API that runs elsewhere."
    )

    @OptionGroup var options: AppOptions
    @OptionGroup var log: LogOptions
    @Option(help: "The root of the API's URLs, such as http://127.0.0.1:8081.") var api: String

    func run() async throws {
        try await run([options.host(api: api, logger: log.logger("app"))])
    }
}
