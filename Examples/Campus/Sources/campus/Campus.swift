import ArgumentParser

/// The command-line tool that runs Campus.
@main
struct Campus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campus",
        abstract: "A small learning platform, built from Backplane's public API.",
        subcommands: [Serve.self, API.self, App.self, Open.self, Feature.self, Graph.self],
        defaultSubcommand: Serve.self
    )
}
