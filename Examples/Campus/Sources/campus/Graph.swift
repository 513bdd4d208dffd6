import ArgumentParser
import Backplane
import CampusApp

/// Prints how the boards lead to one another.
struct Graph: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the boards, and the flows and gates between them, as a diagram's source."
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
