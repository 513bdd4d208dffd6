import ArgumentParser
import CampusApp
import Screens

/// Runs one feature alone.
struct Feature: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run one feature alone: print its screen, and what its board did.",
        discussion: """
            Its module is all there is: no flow, no gate, no other feature. It is given canned data, or with --api what that
            API answers to the user who is logged in with --email and --password.
            """
    )

    @Argument(help: "The feature's name.") var name: String?
    @Option(help: "What to activate it with, where it needs to be told: the ID of a course, for example.") var id:
        String?
    @Flag(help: "List the features.") var list = false
    @OptionGroup var options: TerminalOptions

    func validate() throws {
        if name == nil, !list { throw ValidationError("Name a feature; --list lists them.") }
    }

    func run() async throws {
        guard let name, !list else {
            for feature in SoloFeature.all { print(feature.name + (feature.id.map { " --id \($0)" } ?? "")) }
            return
        }
        guard let feature = SoloFeature.all.first(where: { $0.name == name }) else {
            throw ValidationError("There is no feature '\(name)'; --list lists them.")
        }
        do {
            let terminal = try await feature.run(with: id, api: options.apiURL(), as: options.login)
            try await Visit(in: terminal, with: options).run()
        } catch let error as DisplayError {
            throw Failure(error.message)
        }
    }
}
