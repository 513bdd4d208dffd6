import ArgumentParser
import Backplane
import CampusApp

/// A command that prints the boards and how they are connected.
struct Graph: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the boards, flows and gates as the source of a diagram."
    )

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case mermaid, dot
    }

    @Option(help: "The language of the diagram.") var format = Format.mermaid

    func run() async throws {
        let graph = await CampusApp.graph()
        print(format == .mermaid ? graph.mermaid : graph.dot, terminator: "")
    }
}
