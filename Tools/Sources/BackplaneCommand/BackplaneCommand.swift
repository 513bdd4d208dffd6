import ArgumentParser
import BackplaneGenerator
import Foundation

@main struct BackplaneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backplane",
        abstract: "Creates apps and features with Backplane, and finds mistakes in recorded logs.",
        subcommands: [New.self, Diagnose.self]
    )
}

struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Creates an app or a feature.",
        subcommands: [NewApp.self, NewFeature.self]
    )
}

struct OutputOptions: ParsableArguments {
    @Flag(help: "Print what would be written, and write nothing.")
    var dryRun = false

    @Flag(help: "Print the files as JSON.")
    var json = false

    func perform(_ plan: Plan, _ write: (Plan) throws -> Void) throws {
        if !dryRun { try write(plan) }
        print(json ? try encoded(plan) : plan.text)
    }
}

extension Face: ExpressibleByArgument {}

struct NewApp: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Creates a package with an app of one page, and its tests."
    )

    @Argument(help: "The name of the app, such as Demo.")
    var name: String

    @Option(help: "The interface that draws the app; may be given twice.")
    var face: [Face] = [.terminal]

    @Flag(help: "Write no comments that explain Backplane.")
    var empty = false

    @Option(help: "The folder of Backplane. By default, the one that this command was built from.")
    var backplane: String?

    @Option(help: "The folder of the package. By default, the name of the app.")
    var packagePath: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        let name = try TypeName(name)
        let here = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
        let package = PackageFolder(URL(filePath: packagePath ?? "\(name)", relativeTo: here).standardizedFileURL)
        try package.checkIsFree()
        var plan = try Generator.newApp(
            name,
            faces: Set(face),
            backplane: try PackageFolder.backplane(at: backplane ?? Self.checkout, for: package.url),
            comments: !empty
        )
        plan.next.insert("cd \(packagePath ?? "\(name)")", at: 0)
        try output.perform(plan) { try package.create($0) }
    }

    /// The repository that has this file.
    private static var checkout: String {
        var folder = URL(filePath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder.path
    }
}

struct NewFeature: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feature",
        abstract: "Adds a page to an app that this command has created.",
        discussion: """
            A TYPE is String, Int, Bool, Double, or a type of the app with a value for the tests: 'Meeting.ID="1"'.
            The type of an input must be Hashable, and the others Equatable.
            """
    )

    @Argument(help: "The name of the page, such as MeetingPage.")
    var name: String

    @Option(help: ArgumentHelp("The ID by which the page loads its content.", valueName: "type"))
    var input: String?

    @Option(help: ArgumentHelp("The values that the page sends.", valueName: "type"))
    var output: String?

    @Option(help: ArgumentHelp("The commands that the page takes.", valueName: "type"))
    var command: String?

    @Option(help: "The folder of the package.")
    var packagePath = "."

    @OptionGroup var report: OutputOptions

    func run() throws {
        let package = PackageFolder(URL(filePath: packagePath, directoryHint: .isDirectory))
        let plan = try Generator.newFeature(
            try TypeName(name),
            input: try input.map(Payload.init),
            output: try output.map(Payload.init),
            command: try command.map(Payload.init),
            declared: package.declaredTypes(),
            read: package.read
        )
        try report.perform(plan) { try package.change($0) }
    }
}

struct Diagnose: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Finds mistakes in an event log, such as an output without a flow; fails if there are any.",
        discussion: "An app writes the log with Motherboard.recordEvents. No value of the log is shown."
    )

    @Argument(help: "The file of the log.")
    var file: String

    @Flag(help: "Print the mistakes as JSON.")
    var json = false

    func run() throws {
        guard let log = try? String(contentsOf: URL(filePath: file), encoding: .utf8) else {
            throw GeneratorError("The file \(file) cannot be read.")
        }
        let doctor = try Doctor(log: log)
        print(json ? try encoded(doctor) : doctor.text)
        if !doctor.findings.isEmpty { throw ExitCode.failure }
    }
}
