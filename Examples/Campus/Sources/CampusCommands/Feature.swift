import ArgumentParser
import CampusApp
import Foundation
import Screens

/// A command that runs one feature alone.
struct Feature: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run one feature alone, and print its screen and the events of its board.",
        discussion: """
            Only the feature's module is installed: no flows, no gates, no other features. The module gets sample data.
            With --api it gets the data of that API, for the user with --email and --password.
            """
    )

    @Argument(help: "The feature's name.") var name: String?
    @Option(help: "The feature's input, if it needs one: for example the ID of a course.") var id: String?
    @Flag(help: "List the features.") var list = false
    @OptionGroup var options: TerminalOptions

    func validate() throws {
        if name == nil, !list { throw ValidationError("Specify a feature. List the features with --list.") }
    }

    func run() async throws {
        guard let name, !list else {
            for feature in SoloFeature.all { print(feature.name + (feature.id.map { " --id \($0)" } ?? "")) }
            return
        }
        guard let feature = SoloFeature.all.first(where: { $0.name == name }) else {
            throw ValidationError("There is no feature '\(name)'. List the features with --list.")
        }
        do {
            let terminal = try await feature.run(
                with: id,
                api: options.apiURL(),
                over: Campus.transport.make(),
                as: options.login
            )
            try await Visit(in: terminal, with: options).run()
        } catch let error as any LocalizedError {
            throw Failure(DisplayError.message(of: error, else: "\(error)"))
        }
    }
}
