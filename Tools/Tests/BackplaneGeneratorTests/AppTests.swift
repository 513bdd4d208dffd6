import Foundation
import Testing

@testable import BackplaneGenerator

@Suite(.rule("I11", "I12")) struct AppTests {
    @Test func `a new app is a package with a library, an executable and tests`() throws {
        let plan = try Generator.newApp(try TypeName("Demo"), backplane: "../backplane")
        #expect(
            plan.steps.map(\.path) == [
                ".gitignore", "Package.swift", "Sources/Demo/DemoAssembly.swift", "Sources/Demo/DemoFlows.swift",
                "Sources/Demo/DemoWindow.swift", "Sources/Demo/Home/Home.swift", "Sources/Demo/Home/HomeModel.swift",
                "Sources/Demo/Home/HomeModule.swift", "Sources/Demo/Terminal/DemoTerminal.swift",
                "Sources/Demo/Terminal/HomeModel+Terminal.swift", "Sources/Demo/Terminal/Terminal.swift",
                "Sources/Demo/Terminal/TerminalPage.swift", "Sources/DemoTerminal/Main.swift",
                "Tests/DemoTests/DemoWindowTests.swift", "Tests/DemoTests/HomeTests.swift", "backplane.json",
            ]
        )
        #expect(plan.steps.allSatisfy { $0.action == .create })
    }

    @Test func `an app has the faces that were asked for`() throws {
        let drawn = try Files(faces: [.swiftui]).texts
        #expect(drawn.keys.contains("Sources/Demo/SwiftUI/HomeView.swift"))
        #expect(!drawn.keys.contains { $0.contains("Terminal") })
        #expect(drawn["Package.swift"]?.contains("DemoTerminal") == false)

        let typed = try Files(faces: [.terminal]).texts
        #expect(!typed.keys.contains { $0.contains("SwiftUI") })
        #expect(typed["Package.swift"]?.contains("SwiftUI") == false)
    }

    @Test func `an empty app has the same code, and no comments that teach`() throws {
        let (full, empty) = (try Files().texts, try Files(comments: false).texts)
        #expect(full.values.contains { $0.contains("  // ") })
        for (path, text) in full where path != "backplane.json" {
            let lines = text.split(separator: "\n")
            let others = empty[path]?.split(separator: "\n") ?? []
            #expect(others.allSatisfy(lines.contains), "\(path)")
            #expect(others.filter { $0.contains("///") } == lines.filter { $0.contains("///") })
        }
        #expect(empty["Sources/Demo/DemoFlows.swift"]?.contains("// ") == true)
        #expect(empty["Sources/Demo/DemoFlows.swift"]?.contains("registerFlow") == false)
    }

    @Test(arguments: [
        "", "demo", "1Demo", "My App", "My-App", "../Demo", "Démo", "Demo\n", "Demo\u{0}", "De/mo", "\"", "Any", "Self",
        "Board", "BoardPage", "Page", "Terminal", "SwiftUI", "Backplane", "BackplaneFeatures",
        String(repeating: "A", count: 65),
    ])
    func `a name that cannot be the name of a type is refused in one sentence`(name: String) {
        let error = #expect(throws: GeneratorError.self) { try TypeName(name) }
        #expect(error?.description.hasSuffix(".") == true)
        #expect(error?.description.contains(where: \.isNewline) == false)
    }

    @Test(arguments: [
        ("Demo", "demo"), ("NoteListPage", "noteList"), ("URLList", "urlList"), ("FAQ", "faq"), ("Import", "`import`"),
        ("A", "a"), ("Page2", "page2"),
    ])
    func `the case of a screen is spelled as Swift does`(name: String, spelled: String) throws {
        var files = try Files()
        try files.add(name)
        #expect(files.texts["Sources/Demo/DemoWindow.swift"]?.contains("    case \(spelled)(") == true)
    }

    @Test func `the path of Backplane stays a string`() throws {
        let path = #"a"b\(c)"#
        let plan = try Generator.newApp(try TypeName("Demo"), backplane: path)
        #expect(plan.steps[1].contents.contains(#"path: "a\"b\\(c)")"#))
        #expect(throws: GeneratorError.self) { try Generator.newApp(try TypeName("Demo"), backplane: "a\nb") }
    }

    @Test func `an app does not have the name of its first page`() {
        #expect(throws: GeneratorError("The name Home is taken: it is the first page.")) { try Files(app: "Home") }
    }

    @Test func `a plan is JSON with the action and the path of each file`() throws {
        var files = try Files()
        let plan = try files.add("NotePage", input: "String")
        let json = try JSONSerialization.jsonObject(with: Data(try encoded(plan).utf8)) as? [String: Any]
        let steps = json?["steps"] as? [[String: String]]
        #expect(json?["version"] as? Int == 1)
        #expect(steps?.first == ["action": "create", "path": "Sources/Demo/NotePage/NoteModel.swift"])
        #expect(
            steps?.last == [
                "action": "insert", "path": "Sources/Demo/Terminal/TerminalPage.swift",
                "line": "case .note(let model): model.page",
            ]
        )
        #expect(plan.text.contains("create  Sources/Demo/NotePage/NoteModel.swift\n"))
        #expect(plan.text.hasSuffix("\n  swift run DemoTerminal demo://note/1"))
    }
}
