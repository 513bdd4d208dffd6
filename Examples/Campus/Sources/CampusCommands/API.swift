import ArgumentParser
import CampusAPI

/// A command that runs the API alone.
struct API: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api",
        abstract: "Run the API alone."
    )

    @OptionGroup var options: APIOptions
    @OptionGroup var shared: AppKeyOption
    @OptionGroup var log: LogOptions
    @Option(help: "The address to listen on.") var host = "127.0.0.1"
    @Option(help: "The port; 0 selects a free port.") var port = 8081

    func run() async throws {
        let configuration = try options.configuration(host: host, port: port, appKey: shared.key())
        let server = CampusAPIServer(
            configuration: configuration,
            logger: log.logger("api"),
            securityLogger: log.logger("campus.security")
        ) { address in
            announce("API is running at \(address.url)")
            announceDemoUser()
        }
        try await run([server])
    }
}
