import ArgumentParser
import CampusAPI
import CampusApp
import Foundation
import Logging
import TerminalHost

/// A command that opens a link in the terminal.
struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open a link in the terminal, and print the screens and the events of the boards.",
        discussion: """
            This is the same app as in the browser. Without --api, an API runs in this process until the command ends.

              campus open /course/abc123 --email ada@campus.example --password 'correct horse'
              campus open /compose --email … --password … \\
                  --do add-recipients --do choose:contact-tutor-babbage=on --do send:text=Hi

            The exit status is 0 if the link was opened.
            """
    )

    @Argument(help: "A path such as /course/abc123, or campus://course/abc123.") var link: String
    @OptionGroup var options: TerminalOptions
    @OptionGroup var server: APIOptions

    func run() async throws {
        if let api = try options.apiURL() { return try await visit(api: api) }
        // Log lines would appear between the screens. An error of the server is thrown anyway.
        let silent = Logger(label: "api") { _ in SwiftLogNoOpLogHandler() }
        let configuration = try server.configuration(host: "127.0.0.1", port: 0)
        try await withAPI(configuration, logger: silent, securityLogger: silent) { address in
            try await visit(api: url(ofAPI: address.url))
        }
    }

    private func visit(api: URL) async throws {
        let terminal = try CampusApp.terminal(api: api, over: Campus.transport.make())
        switch await terminal.open(link) {
        case .opened, .waiting: try await Visit(in: terminal, with: options).run()
        case .denied, .noMatch, .invalid: break
        }
        let answer = await terminal.linkAnswer
        guard answer == .opened else { throw Failure("\(answer)") }
        print(answer)
    }
}
