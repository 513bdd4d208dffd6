import ArgumentParser
public import BackplaneNetworking
import ServerLimits

/// Runs the command-line tool `campus` with the arguments of the process.
///
/// - Parameter makeTransport: creates the transport between the app and the API.
public func runCampus(over makeTransport: @escaping @Sendable () -> any NetworkTransport) async {
    OpenFiles.raiseLimit()
    await Campus.$makeTransport.withValue(makeTransport) { await Campus.main() }
}

/// The command-line tool that runs Campus.
struct Campus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campus",
        abstract: "A small learning platform, built from Backplane's public API.",
        subcommands: [Serve.self, API.self, App.self, Open.self, Feature.self, Graph.self],
        defaultSubcommand: Serve.self
    )

    // The parser creates the commands, so they have no parameter for it.
    /// Creates the transport between the app and the API, as the executable wants it.
    @TaskLocal static var makeTransport: @Sendable () -> any NetworkTransport = { URLSessionTransport() }
}
