import ArgumentParser
import BackplaneGenerator
import Foundation
import Testing

@testable import BackplaneCommand

/// The commands as a user types them.
@Suite(.rule("I11", "I12"), .serialized) struct CommandTests {
    private let folder: Folder
    private let backplane = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    init() throws { folder = try Folder() }

    private func run(_ line: String) throws {
        var command = try BackplaneCommand.parseAsRoot(line.split(separator: " ").map(String.init))
        try command.run()
    }

    private var demo: String { folder.url.appending(path: "Demo").path }

    @Test func `an app and a feature are created`() throws {
        try run("new app Demo --package-path \(demo)")
        #expect(folder.texts["Demo/Package.swift"]?.contains("path: \"\(backplane)\"") == true)
        try run("new feature NotePage --input String --output Int --command Bool --package-path \(demo)")
        #expect(folder.texts["Demo/Sources/Demo/NotePage/NotePage.swift"]?.contains("typealias Command = Bool") == true)
    }

    @Test func `a dry run writes nothing`() throws {
        try run("new app Demo --dry-run --json --package-path \(demo)")
        #expect(folder.texts == [:])
        try run("new app Demo --face swiftui --empty --package-path \(demo)")
        let texts = folder.texts
        #expect(texts["Demo/Sources/Demo/SwiftUI/DemoView.swift"] != nil)
        try run("new feature NotePage --dry-run --json --package-path \(demo)")
        #expect(folder.texts == texts)
    }

    @Test(arguments: [
        "new app demo --package-path DEMO", "new app Demo --package-path DEMO/a/b", "new app Demo --package-path FULL",
        "new app Demo --backplane / --package-path DEMO", "new app Demo --face web --package-path DEMO", "new app",
        "new feature NotePage --package-path FULL", "new feature NotePage --input date --package-path FULL", "new",
        "doctor FULL/missing", "doctor FULL/mine", "doctor FULL",
    ])
    func `a command that fails changes nothing`(line: String) throws {
        try folder.write("mine", to: "full/mine")
        let texts = folder.texts
        let line = line.replacing("DEMO", with: demo).replacing("FULL", with: folder.url.appending(path: "full").path)
        let error = #expect(throws: (any Error).self) { try run(line) }
        if let error { #expect(BackplaneCommand.exitCode(for: error).isSuccess == (line == "new")) }
        #expect(folder.texts == texts)
    }

    @Test func `a relative path of Backplane leads from the package to it`() throws {
        try folder.write("name: \"Backplane\"", to: "libraries/backplane/Package.swift")
        let relative =
            "../" + String(repeating: "../", count: 40) + folder.url.path.dropFirst() + "/libraries/backplane"
        let found = try PackageFolder.backplane(at: relative, for: folder.url.appending(path: "apps/Demo"))
        #expect(found == "../../libraries/backplane")
    }
}
