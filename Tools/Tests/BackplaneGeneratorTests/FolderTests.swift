import Foundation
import Testing

@testable import BackplaneGenerator

@Suite(.rule("I12")) struct FolderTests {
    private let folder: Folder
    private let package: PackageFolder
    private let plan: Plan

    init() throws {
        folder = try Folder()
        package = PackageFolder(folder.url.appending(path: "Demo"))
        plan = try Generator.newApp(try TypeName("Demo"), backplane: "../backplane")
    }

    private func planNote() throws -> Plan {
        try Generator.newFeature(try TypeName("NotePage"), declared: package.declaredTypes(), read: package.read)
    }

    @Test(arguments: [false, true]) func `an app is created in a new or an empty folder`(isThere: Bool) throws {
        if isThere { try FileManager.default.createDirectory(at: package.url, withIntermediateDirectories: true) }
        try package.create(plan)
        for step in plan.steps { #expect(folder.texts["Demo/\(step.path)"] == step.contents) }
        #expect(folder.texts.keys.allSatisfy { $0.hasPrefix("Demo") })
    }

    @Test(arguments: ["Demo/a", "Demo/.hidden", "Demo"])
    func `files that are there already are not touched`(path: String) throws {
        try folder.write("mine", to: path)
        let texts = folder.texts
        #expect(throws: GeneratorError("\(package.url.path) exists and is no empty folder.")) {
            try package.create(plan)
        }
        #expect(folder.texts == texts)
    }

    @Test func `a link to an empty folder is not replaced`() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "a"),
            withIntermediateDirectories: false
        )
        try FileManager.default.createSymbolicLink(
            at: package.url,
            withDestinationURL: folder.url.appending(path: "a")
        )
        #expect(throws: GeneratorError("\(package.url.path) exists and is no empty folder.")) {
            try package.checkIsFree()
        }
        #expect(throws: GeneratorError.self) { try package.create(plan) }
        #expect(folder.texts == ["a": "", "Demo": ""])
    }

    @Test func `a folder that is missing or cannot be written is named`() throws {
        let missing = PackageFolder(folder.url.appending(path: "missing/Demo"))
        #expect(throws: GeneratorError("There is no folder \(folder.url.appending(path: "missing").path).")) {
            try missing.create(plan)
        }
        try folder.write("", to: "file")
        #expect(throws: GeneratorError.self) { try PackageFolder(folder.url.appending(path: "file/Demo")).create(plan) }
        #expect(folder.texts == ["file": ""])
    }

    @Test func `a plan that cannot be written leaves nothing`() throws {
        var plan = plan
        // A file cannot have a file inside.
        plan.steps.append(Plan.Step(action: .create, path: "Package.swift/a"))
        #expect(throws: GeneratorError.self) { try package.create(plan) }
        #expect(folder.texts == [:])
    }

    @Test func `a feature is added on the disk`() throws {
        try package.create(plan)
        let note = try planNote()
        try package.change(note)
        for step in note.steps { #expect(folder.texts["Demo/\(step.path)"] == step.contents) }
        #expect(try planNote().steps.allSatisfy { $0.action == .keep })
    }

    @Test func `a change that fails is taken back`() throws {
        try package.create(plan)
        let texts = folder.texts
        var note = try planNote()
        note.steps.append(Plan.Step(action: .create, path: "Package.swift/a", contents: ""))
        let error = #expect(throws: GeneratorError.self) { try package.change(note) }
        #expect(error?.description.contains("Package.swift/a") == true)
        #expect(folder.texts == texts)
    }

    @Test(arguments: ["Sources/Demo/NotePage/NotePage.swift", "Sources/Demo/Terminal/TerminalPage.swift"])
    func `a file that another program has changed meanwhile is not overwritten`(path: String) throws {
        try package.create(plan)
        let note = try planNote()
        try folder.write("theirs", to: "Demo/\(path)")
        let texts = folder.texts
        #expect(throws: GeneratorError.self) { try package.change(note) }
        #expect(folder.texts == texts)
    }

    @Test func `a linked file stays a link, and keeps its permissions`() throws {
        try package.create(plan)
        let window = package.url.appending(path: "Sources/Demo/DemoWindow.swift")
        let target = folder.url.appending(path: "Window.swift")
        try FileManager.default.moveItem(at: window, to: target)
        try FileManager.default.createSymbolicLink(at: window, withDestinationURL: target)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target.path)
        try package.change(try planNote())
        #expect(folder.texts["Window.swift"]?.contains("NoteModel") == true)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: window.path) == target.path)
        let permissions = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] as? Int
        #expect(permissions == 0o640)
    }

    @Test func `a type that the package declares is found`() throws {
        try package.create(plan)
        try folder.write("public  final class\n    NoteModel {}\n", to: "Demo/Sources/Demo/A.swift")
        #expect(throws: GeneratorError("The package has a type NoteModel already, in Sources/Demo/A.swift.")) {
            try planNote()
        }
    }
}
