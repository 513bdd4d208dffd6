import ArgumentParser
public import BackplaneNetworking
import ServerLimits

/// Runs the command-line tool `campus` with the arguments of the process.
///
/// - Parameter makeTransport: creates the transport between the app and the API.
public func runCampus(over makeTransport: @escaping @Sendable () -> any NetworkTransport) async {
    OpenFiles.raiseLimit()
    await Campus.$transport.withValue(TransportMaker(make: makeTransport)) { await Campus.main() }
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
    /// The maker of the transport that the executable wants.
    @TaskLocal static var transport = TransportMaker { URLSessionTransport() }
}

/// A maker of the transport between the app and the API.
///
/// It is not a bare closure: Swift 6.3 compiles `withValue(_:operation:)` of a `@TaskLocal` closure
/// to a crash in an optimized build.
struct TransportMaker: Sendable {
    let make: @Sendable () -> any NetworkTransport
}
