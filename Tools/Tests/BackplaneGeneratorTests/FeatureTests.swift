import Testing

@testable import BackplaneGenerator

@Suite(.rule("I11", "I12")) struct FeatureTests {
    private let window = "Sources/Demo/DemoWindow.swift"

    @Test func `a feature is connected above the marks, in the order of the commands`() throws {
        var files = try Files()
        try files.add("NoteList", output: "String", command: "Int")
        try files.add("NotePage", input: "String")
        #expect(
            files.texts[window]?.contains(
                """
                enum DemoScreen {
                    case home(HomeModel)
                    case noteList(NoteListModel)
                    case note(NoteModel)
                    // backplane: screens
                }
                """
            ) == true
        )
        #expect(
            files.texts["Sources/Demo/DemoAssembly.swift"]?.contains(
                """
                                NoteModule(navigator: navigator, load: { id in NoteContent(title: "Note \\(id)") }),
                                // backplane: modules
                                DemoFlows(),
                """
            ) == true
        )
    }

    @Test func `the same command again changes nothing`() throws {
        var files = try Files(faces: [.terminal, .swiftui])
        let first = try files.add("NotePage", input: "String", output: "Int", command: "Bool")
        let texts = files.texts
        let second = try files.add("NotePage", input: "String", output: "Int", command: "Bool")
        #expect(second.steps.map(\.path) == first.steps.map(\.path))
        #expect(second.steps.allSatisfy { $0.action == .keep })
        #expect(files.texts == texts)
    }

    @Test func `a file that is different is never overwritten`() throws {
        var files = try Files()
        try files.add("NotePage")
        files.texts["Sources/Demo/NotePage/NoteModel.swift"]? += "// mine\n"
        let error = #expect(throws: GeneratorError.self) { try files.add("NotePage") }
        #expect(
            error?.description
                == "Sources/Demo/NotePage/NoteModel.swift exists and is different, so nothing was changed."
        )
    }

    @Test(arguments: [
        ("// backplane: screens", ""), ("// backplane: screens", "// backplane: screens2"),
        ("    // backplane: screens", "    // backplane: screens\n    // backplane: screens"),
        ("    // backplane: screens", "    let a = 1 // backplane: screens"),
    ])
    func `without one clear mark, the line is printed`(mark: String, replacement: String) throws {
        var files = try Files()
        files.texts[window]?.replace(mark, with: replacement)
        let text = files.texts[window]
        let plan = try files.add("NotePage")
        #expect(files.texts[window] == text)
        #expect(plan.text.contains("patch  \(window): no mark, so add this line: case note(NoteModel)\n"))
        // The other files are connected.
        #expect(plan.steps.filter { $0.action == .insert }.count == 2)
    }

    @Test func `a file that is gone, and a line that was added by hand, are respected`() throws {
        var files = try Files()
        files.texts[window] = nil
        files.texts["Sources/Demo/Terminal/TerminalPage.swift"]?
            .replace("// backplane: pages", with: "case .note(let model): nil as TerminalPage?")
        let plan = try files.add("NotePage")
        #expect(plan.steps.filter { $0.action == .patch }.map(\.path) == [window])
        #expect(plan.steps.last?.action == .keep)
    }

    @Test func `a feature whose name ends with that of another is connected as well`() throws {
        var files = try Files()
        try files.add("BookNotePage")
        let plan = try files.add("NotePage")
        #expect(plan.steps.filter { $0.action == .insert }.count == 3)
    }

    @Test func `the ends of lines stay as they are`() throws {
        var files = try Files()
        files.texts[window]?.replace("\n", with: "\r\n")
        try files.add("NotePage")
        #expect(files.texts[window]?.contains("\r\n    case note(NoteModel)\r\n    // backplane: screens\r\n") == true)
    }

    @Test(arguments: ["NoteModel", "NOTEModel"])
    func `a type of the same name elsewhere is named`(type: String) throws {
        var files = try Files()
        let error = #expect(throws: GeneratorError.self) {
            try files.add("NotePage", declared: [type: "Sources/Demo/Models.swift"])
        }
        #expect(error?.description == "The package has a type \(type) already, in Sources/Demo/Models.swift.")
    }

    @Test func `features are drawn and tested as the configuration says`() throws {
        var files = try Files(faces: [.swiftui], comments: false)
        files.texts["backplane.json"] = """
            {"version": 1, "app": "Demo", "comments": false, "faces": ["swiftui"], "sources": "Code/Pages"}
            """
        let plan = try files.add("NotePage")
        #expect(
            plan.steps.map(\.path).prefix(4) == [
                "Code/Pages/NotePage/NoteModel.swift", "Code/Pages/NotePage/NoteModule.swift",
                "Code/Pages/NotePage/NotePage.swift", "Code/Pages/SwiftUI/NoteView.swift",
            ]
        )
        #expect(files.texts["Code/Pages/NotePage/NoteModule.swift"]?.contains("//") == false)
        #expect(plan.next == [])
    }

    @Test(arguments: [
        nil, "", "[]", "{}", "{\"version\": \"1\"}", "{\"version\": 2}", "{\"version\": 1}",
        "{\"version\": 1, \"app\": \"de mo\", \"comments\": true, \"faces\": [], \"sources\": \"Sources\"}",
        "{\"version\": 1, \"app\": \"Demo\", \"comments\": true, \"faces\": [\"web\"], \"sources\": \"Sources\"}",
        "{\"version\": 1, \"app\": \"Demo\", \"comments\": true, \"faces\": [], \"sources\": \"../Sources\"}",
        "{\"version\": 1, \"app\": \"Demo\", \"comments\": true, \"faces\": [], \"sources\": \"/Sources\"}",
        "{\"version\": 1, \"app\": \"Demo\", \"comments\": true, \"faces\": [], \"sources\": \"A\", \"tests\": \"\"}",
    ])
    func `a package of another layout is refused in one sentence`(configuration: String?) throws {
        var files = try Files()
        files.texts["backplane.json"] = configuration
        let error = #expect(throws: GeneratorError.self) { try files.add("NotePage") }
        #expect(error?.description.contains(where: \.isNewline) == false)
    }

    @Test func `a package of another version is refused with both versions`() throws {
        var files = try Files()
        files.texts["backplane.json"]?.replace("\"version\" : 1", with: "\"version\" : 2")
        let error = #expect(throws: GeneratorError.self) { try files.add("NotePage") }
        #expect(error?.description == "This package is of version 2 of backplane, and this command is of version 1.")
    }

    @Test(arguments: [
        "string", "String?", "[String]", "Date", "A=", "A= ", "=1", "", "A.b=1", "A=1\n2", "A\n", "A;B=1",
    ])
    func `a type that the tests cannot use is refused in one sentence`(type: String) {
        let error = #expect(throws: GeneratorError.self) { try Payload(type) }
        #expect(error?.description.hasSuffix(".") == true)
        #expect(error?.description.contains(where: \.isNewline) == false)
    }

    @Test func `a page with an input of a type of the app has no link`() throws {
        var files = try Files()
        let plan = try files.add("NotePage", input: "Note.ID = Note.ID(1)")
        #expect(files.texts["Sources/Demo/NotePage/NoteModule.swift"]?.contains("registerLink") == false)
        #expect(files.texts["Tests/DemoTests/NoteTests.swift"]?.contains("with: Note.ID(1))") == true)
        #expect(plan.next == ["swift test --filter NoteTests"])
    }
}
