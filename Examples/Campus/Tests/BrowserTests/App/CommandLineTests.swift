import CampusTestTools
import Foundation
import Subprocess
import SystemPackage
import Testing
import WebDriver

@Suite(.timeLimit(.minutes(5)))
struct CommandLineTests {
    @Test func `Campus fails on a taken port and names the port and the port option`() async throws {
        try await withTemporaryDirectory { directory in
            let database = ["--database", directory.appending(path: "campus.sqlite").path]
            try await withCampus(arguments: ["serve", "--port", "0"] + database) { campus in
                let port = try #require(try campus.url().split(separator: ":").last).description
                // The second one runs in a directory of its own, with files of its own.
                let result = try await self.campus(["serve", "--port", port])
                #expect(!result.succeeded)
                // Log lines of the servers that shut down may come in between.
                #expect(result.errors.contains("Error: "))
                #expect(result.errors.contains("Port \(port) of 127.0.0.1 is already in use"))
                #expect(result.errors.contains("--port"))
            }
        }
    }

    @Test func `a second process on the sessions of another one fails with one error that names the file`() async throws
    {
        try await withTemporaryDirectory { directory in
            let database = ["--database", directory.appending(path: "campus.sqlite").path]
            try await withCampus(arguments: ["serve", "--port", "0"] + database) { _ in
                let message = try await failure(of: ["serve", "--port", "0"] + database)
                let sessions = directory.appending(path: "campus-sessions.sqlite").path
                #expect(message.hasPrefix("Error: The sessions file '\(sessions)' is in use by another process."))
                #expect(message.count { $0 == "\n" } == 1)
            }
        }
    }

    @Test func `a sessions file that is not a database fails with one error that names the file`() async throws {
        try await withTemporaryDirectory { directory in
            let sessions = directory.appending(path: "broken.sqlite")
            try Data("This text is long enough for SQLite to see no database.".utf8).write(to: sessions)
            let database = ["--database", directory.appending(path: "campus.sqlite").path]
            let message = try await failure(of: ["serve", "--port", "0", "--sessions", sessions.path] + database)
            #expect(message.hasPrefix("Error: The sessions file '\(sessions.path)' cannot be used"))
            #expect(message.count { $0 == "\n" } == 1)
        }
    }

    /// Runs `campus` with arguments that it must refuse, and returns its errors.
    private func failure(of arguments: [String]) async throws -> String {
        let result = try await run(
            .path(FilePath(builtCampus)),
            arguments: Arguments(arguments),
            output: .discarded,
            error: .string(limit: 100_000)
        )
        #expect(!result.terminationStatus.isSuccess)
        return result.standardError
    }

    @Test(arguments: [
        ["--faults", "nonsense"], ["app", "--api", "http://campus.example"], ["--no-such-option"],
        ["--log-level", "loud"], ["--public-url", "campus.example"], ["--trusted-proxy", "proxy.example"],
    ])
    func `an invalid command line is refused with a reason`(arguments: [String]) async throws {
        #expect(try await failure(of: arguments).contains("Error: "))
    }

    #if os(Linux)
        @Test func `the process prints the size of its heap when it receives SIGUSR2`() async throws {
            try await withTemporaryDirectory { directory in
                let database = directory.appending(path: "campus.sqlite").path
                try await withChildProcess(
                    builtCampus,
                    arguments: ["api", "--port", "0", "--database", database],
                    ready: { line in line.contains("API is running at") ? line : nil }
                ) { process, _ in
                    kill(process.processID, SIGUSR2)
                    try await process.output.wait { lines in
                        lines.contains { $0.wholeMatch(of: #/\{"heapInUse":[1-9]\d*\}/#) != nil }
                    }
                }
            }
        }
    #endif

    // MARK: Screens in the terminal

    private static let ada = ["--email", "ada@campus.example", "--password", "correct horse"]

    /// Runs `campus` to its end in a new directory.
    private func campus(_ arguments: [String]) async throws -> (succeeded: Bool, output: String, errors: String) {
        try await withTemporaryDirectory { directory in
            let result = try await run(
                .path(FilePath(builtCampus)),
                arguments: Arguments(arguments),
                workingDirectory: FilePath(directory.path),
                output: .string(limit: 100_000),
                error: .string(limit: 100_000)
            )
            return (result.terminationStatus.isSuccess, result.standardOutput, result.standardError)
        }
    }

    @Test(.rule("B41"), arguments: ["/course/abc123", "campus://course/abc123"])
    func `a link opened in the terminal while signed out waits for the sign-in and then shows its target`(
        link: String
    ) async throws {
        let result = try await campus(["open", link] + Self.ada)
        #expect(result.succeeded)
        let login = try #require(result.output.firstRange(of: "Sign in  (/)"))
        let target = try #require(result.output.firstRange(of: "Analytical Engines  (/course/abc123)"))
        #expect(login.lowerBound < target.lowerBound)
        #expect(result.output.contains("name: Charles Babbage"))
        #expect(result.output.contains("- Lecture · Monday, 09:30–11:00 · Hall 1"))
        #expect(result.output.contains("- Read the notes on the engine · done"))
        #expect(result.output.firstMatch(of: #/gateOpened +course /#) != nil)
        #expect(!(result.output + result.errors).contains("correct horse"))
    }

    @Test func `a message is written and sent in the terminal`() async throws {
        let actions = ["add-recipients", "choose:contact-tutor-babbage=on", "send:text=Hello from the terminal"]
        let result = try await campus(["open", "/compose"] + Self.ada + actions.flatMap { ["--do", $0] })
        #expect(result.succeeded)
        #expect(result.output.contains("- contact-tutor-babbage · Charles Babbage · tutor"))
        #expect(result.output.contains("Dashboard  (/)"))
        #expect(result.output.contains("- Charles Babbage · Hello from the terminal"))
        #expect(result.output.contains("appointments: "), "boards without a screen have counted too")
    }

    @Test func `accepting the draft question in the terminal keeps the draft`() async throws {
        let actions = ["cancel:text=Half a thought", "save", "compose"]
        let result = try await campus(["open", "/compose"] + Self.ada + actions.flatMap { ["--do", $0] })
        #expect(result.succeeded)
        #expect(result.output.contains("Keep the message as a draft?  (a dialog)"))
        #expect(result.output.contains("save: Save"))
        #expect(result.output.contains("text: Half a thought"))
    }

    @Test func `a to-do is ticked and a product is bought in the terminal`() async throws {
        let course = try await campus(["open", "/course/abc123"] + Self.ada + ["--do", "tick:todo=abc123-2"])
        #expect(course.succeeded)
        #expect(course.output.contains("- Write the table for the Bernoulli numbers · abc123-2"))
        #expect(course.output.contains("- Write the table for the Bernoulli numbers · done · abc123-2"))
        let product = try await campus(["open", "/product/cards"] + Self.ada + ["--do", "purchase", "--do", "share"])
        #expect(product.succeeded)
        #expect(product.output.contains("receipt: You have bought this for €4.95."))
        #expect(product.output.contains("link: /product/cards"))
    }

    @Test func `a link opens the settings in the terminal`() async throws {
        let result = try await campus(["open", "campus://settings"] + Self.ada + ["--do", "sync"])
        #expect(result.succeeded)
        #expect(result.output.contains("Settings  (/settings)"))
        #expect(result.output.contains("name: Ada Lovelace"))
        #expect(result.output.contains("campus"), "the label of this client")
        #expect(result.output.firstMatch(of: #/gateOpened +settings /#) != nil)
    }

    @Test func `the terminal shows data of an API in another process`() async throws {
        try await withTemporaryDirectory { directory in
            let database = ["--database", directory.appending(path: "campus.sqlite").path]
            try await withCampus(arguments: ["api", "--port", "0"] + database, awaiting: [.api]) { server in
                let api = ["--api", try server.url(of: .api)]
                let opened = try await campus(["open", "/catalog"] + api)
                #expect(opened.succeeded)
                #expect(opened.output.contains("Campus shop  (/catalog)"))
                let alone = try await campus(["feature", "course", "--id", "lin201"] + api + Self.ada)
                #expect(alone.succeeded)
                #expect(alone.output.contains("Linear Algebra  (/course/lin201)"))
            }
        }
    }

    @Test(arguments: [
        (["open", "/nowhere"], "No board matches the link."),
        (["open", "other://course/abc123"], "No board matches the link."),
        (["open", "/course/%zz"], "The link is invalid."),
        (["open", "/course/abc123"], "The link waits at a gate"),
        (["open", "/", "--email", "ada@campus.example"], "--email and --password"),
        (["open", "/", "--do", "choose:contact"], "choose:contact"),
        (["feature", "nonsense"], "There is no feature 'nonsense'"),
        (["feature"], "--list"),
    ])
    func `a command that cannot show its target fails with a reason`(
        arguments: [String],
        reason: String
    ) async throws {
        let result = try await campus(arguments)
        #expect(!result.succeeded)
        #expect(result.errors.contains(reason), "\(result.errors)")
    }

    @Test func `a wrong password keeps the link waiting, and the form shows the reason`() async throws {
        let result = try await campus(
            ["open", "/course/abc123", "--email", "ada@campus.example", "--password", "battery staple"]
        )
        #expect(!result.succeeded)
        #expect(result.output.contains("problem: No user has this e-mail address and password."))
        #expect(result.errors.contains("The link waits at a gate"))
    }

    @Test(
        .rule("M12"),
        arguments: [
            ("catalog", "Campus shop  (/catalog)"), ("composer", "New message  (/compose)"),
            ("course", "Analytical Engines  (/course/abc123)"), ("dashboard", "Dashboard  (/)"),
            ("login", "Sign in  (/)"), ("product", "Punched Cards  (/product/cards)"),
            ("settings", "Settings  (/settings)"),
        ]
    )
    func `each feature with a screen runs by itself`(name: String, heading: String) async throws {
        let result = try await campus(["feature", name])
        #expect(result.succeeded)
        #expect(result.output.hasPrefix(heading))
        #expect(result.output.firstMatch(of: #/activated +\w+#1 /#) != nil)
        #expect(try await campus(["feature", "--list"]).output.contains(name))
    }

    @Test func `a feature that runs alone takes an ID as an option, and its output is unhandled`() async throws {
        let course = try await campus(["feature", "course", "--id", "xyz"])
        #expect(course.output.contains("(/course/xyz)"))
        let dashboard = try await campus(["feature", "dashboard", "--do", "open:course=abc123"])
        #expect(dashboard.succeeded)
        #expect(dashboard.output.contains("> open(course)"))
        #expect(dashboard.output.contains("Other features count the week."))
        #expect(dashboard.output.contains("Nothing handled the output; register a flow from 'dashboard'."))
    }

    @Test(arguments: [
        ([], ["flowchart", #"["catalog"]"#, "-. holds .->", "-- combined -->"]),
        (["--format", "dot"], ["digraph", #"[label="catalog"]"#, #"label="holds""#, #"label="combined""#]),
    ])
    func `the graph of boards and flows is printed as a diagram`(
        arguments: [String],
        parts: [String]
    ) async throws {
        let result = try await campus(["graph"] + arguments)
        #expect(result.succeeded)
        for part in parts { #expect(result.output.contains(part)) }
    }

    @Test(.rule("B44")) func `the README contains the printed diagram`() async throws {
        let readme = URL(filePath: #filePath).appending(path: "../../../../README.md").standardizedFileURL
        let text = try String(contentsOf: readme, encoding: .utf8)
        let printed = try await campus(["graph"]).output
        #expect(text.contains("```mermaid\n\(printed)```"))
    }
}
