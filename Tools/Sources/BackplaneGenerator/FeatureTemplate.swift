/// The files of a feature and the lines that connect it, as the path of the documentation has them.
struct FeatureTemplate {
    let app: String
    let name: TypeName
    let input: Payload?
    let output: Payload?
    let command: Payload?
    /// Whether the page replaces the first page of the window, and is not pushed on it.
    let isRoot: Bool

    /// The types that the feature declares.
    var types: [String] {
        ["\(name)"] + ["Content", "Model", "Board", "Module", "Tests", "View"].map { "\(name.stem)\($0)" }
    }

    func files(in configuration: Configuration) -> [String: String] {
        let folder = "\(configuration.sources)/\(name)"
        var files = [
            "\(folder)/\(name).swift": interface,
            "\(folder)/\(name.stem)Model.swift": model,
            "\(folder)/\(name.stem)Module.swift": module,
        ]
        if let folder = configuration.tests { files["\(folder)/\(name.stem)Tests.swift"] = tests }
        for face in configuration.faces {
            switch face {
            case .swiftui: files["\(configuration.sources)/SwiftUI/\(name.stem)View.swift"] = view
            case .terminal: files["\(configuration.sources)/Terminal/\(name.stem)Model+Terminal.swift"] = page
            }
        }
        return files
    }

    func insertions(in configuration: Configuration) -> [Insertion] {
        let sources = configuration.sources
        let load = input == nil ? "" : " id in"
        let title = "\(name.words.prefix(1).uppercased())\(name.words.dropFirst())" + (input == nil ? "" : " \\(id)")
        var insertions = [
            Insertion(
                path: "\(sources)/\(app)Window.swift",
                mark: .screens,
                line: "case \(name.caseName)(\(name.stem)Model)",
                token: "case \(name.caseName)("
            ),
            Insertion(
                path: "\(sources)/\(app)Assembly.swift",
                mark: .modules,
                line:
                    "\(name.stem)Module(navigator: navigator, load: {\(load) \(name.stem)Content(title: \"\(title)\") }),",
                token: "\(name.stem)Module("
            ),
        ]
        for face in configuration.faces.sorted(by: { $0.rawValue < $1.rawValue }) {
            let token = "case .\(name.caseName)("
            switch face {
            case .swiftui:
                let line = "\(token)let model): \(name.stem)View(model: model)"
                let path = "\(sources)/SwiftUI/\(app)View.swift"
                insertions.append(Insertion(path: path, mark: .views, line: line, token: token))
            case .terminal:
                let line = "\(token)let model): model.page"
                let path = "\(sources)/Terminal/TerminalPage.swift"
                insertions.append(Insertion(path: path, mark: .pages, line: line, token: token))
            }
        }
        return insertions
    }

    private var idType: String { input?.type ?? "NoID" }
    private var loadType: String { "(\(input?.type ?? "")) async throws -> \(name.stem)Content" }

    private var interface: String {
        let types = [("Input", input), ("Output", output), ("Command", command)].compactMap { role, payload in
            payload.map { "\n    typealias \(role) = \($0.type)" }
        }
        return """
            import Backplane

            nonisolated struct \(name.stem)Content: Equatable, Sendable {
                let title: String
            }

            //: Other features know this contract only.
            /// The \(name.words) page.
            nonisolated enum \(name): BoardContract {\(types.joined())\(types.isEmpty ? "" : "\n")}

            """
    }

    private var model: String {
        let parameters =
            (input.map { ["id: \($0.type)"] } ?? []) + ["load: @escaping \(loadType)"]
            + (output.map { ["send: @escaping (\($0.type)) -> Void"] } ?? [])
        let oneLine = parameters.joined(separator: ", ")
        let list = oneLine.count < 108 ? oneLine : "\n        " + parameters.joined(separator: ",\n        ") + "\n    "
        return """
            import BackplaneFeatures\(command == nil ? "" : "\nimport Observation")

            //: The state of the page and the actions of the user. It knows no other page.
            \(command == nil ? "" : "@Observable ")final class \(name.stem)Model {
            \(command.map { "    /// The last command.\n    var received: \($0.type)?\n" } ?? "")\
            \(output.map { "    \(command == nil ? "" : "@ObservationIgnored ")let send: (\($0.type)) -> Void\n" } ?? "")\
                private let content: Loader<\(idType), \(name.stem)Content>

                init(\(list)) {
            \(output == nil ? "" : "        self.send = send\n")\
                    content = Loader(load)
                    content.load(\(input == nil ? "" : "id"))
                }

                var state: LoadState<\(name.stem)Content> { content.state }
                func retry() { content.retry() }
            }

            """
    }

    private var module: String {
        let activation = """
                func activate(with \(input.map { "id: \($0.type)" } ?? "input: Void")) {
                    let model = \(name.stem)Model(\(input == nil ? "" : "id: id, ")load: module.load\(sending))
            \(command == nil ? "" : "        self.model = model\n")\
                    pair(with: module.navigator.\(isRoot ? "setRoot" : "push")(.\(name.caseName)(model)))
                }
            """
        let simple = """
            struct \(name.stem)Board: Board {
                let slot: Slot<\(name)>
                let module: \(name.stem)Module

            \(activation)
            }
            """
        let commanded = """
            final class \(name.stem)Board: Board {
                let slot: Slot<\(name)>
                private let module: \(name.stem)Module
                private var model: \(name.stem)Model?

                init(slot: Slot<\(name)>, module: \(name.stem)Module) {
                    self.slot = slot
                    self.module = module
                }

            \(activation)

                func receive(_ command: \(name).Command) {
                    model?.received = command
                }
            }
            """
        let template = input == nil ? name.path : "\(name.path)/{id}"
        let hasLink = !isRoot && input?.isLinkParameter != false
        let link = "\n        motherboard.registerLink(\"\(template)\", to: \(name).id)"
        let reuse = isRoot ? "" : "(reuse: .perActivation)"
        return """
            import Backplane
            import BackplaneNavigation

            //: The board makes the model, shows it, and ends together with its place.
            \(command == nil ? simple : commanded)

            //: The properties are all that the feature needs. \(app)Assembly passes them.
            struct \(name.stem)Module: BoardModule {
                let navigator: Navigator<\(app)Screen>
                let load: \(loadType)

                func register(on motherboard: Motherboard) {
                    motherboard.register\(reuse) { slot in \(name.stem)Board(slot: slot, module: self) }\(hasLink ? link : "")
                }
            }

            """
    }

    private var sending: String {
        guard output != nil else { return "" }
        return command == nil ? ", send: { send($0) }" : ", send: { [slot] value in slot.send(value) }"
    }

    private var page: String {
        let send = output.map { "[.init(name: \"send\") { _ in self.send(\($0.example)) }]" } ?? "[]"
        let lines = "[content.title]" + (command == nil ? "" : " + (received.map { [\"\\($0)\"] } ?? [])")
        return """
            import BackplaneFeatures

            extension \(name.stem)Model {
                var page: TerminalPage? {
                    TerminalPage(state, retry: retry) { content in
                        TerminalPage(
                            lines: \(lines),
                            commands: \(send)
                        )
                    }
                }
            }

            """
    }

    private var view: String {
        """
        import BackplaneFeatures
        import BackplaneSwiftUI
        import SwiftUI

        struct \(name.stem)View: View {
            let model: \(name.stem)Model

            var body: some View {
                LoadView(model.state, retry: model.retry) { content in
                    VStack {
                        Text(content.title).font(.title)\
        \(command == nil ? "" : "\n                if let received = model.received { Text(\"\\(received)\") }")\
        \(output.map { "\n                Button(\"Send\") { model.send(\($0.example)) }" } ?? "")
                    }
                }
            }
        }

        """
    }

    private var tests: String {
        let ending = """

                @Test func `it ends when the user goes back`() throws {
                    _ = try open()
                    navigator.top?.dismiss()
                    #expect(!test.motherboard.isLive(\(name).id))
                }

            """
        let sending = output.map { output in
            """

                @Test func `it sends an output`() throws {
                    var sent: [\(output.type)] = []
                    test.motherboard.registerFlow(from: \(name).id) { output, _ in sent.append(output) }
                    try open().send(\(output.example))
                    #expect(sent == [\(output.example)])
                }

            """
        }
        let receiving = command.map { command in
            """

                @Test func `it receives a command`() throws {
                    let model = try open()
                    test.motherboard.send(\(command.example), to: \(name).id)
                    #expect(model.received == \(command.example))
                }

            """
        }
        return """
            import Backplane
            import BackplaneFeatures
            import BackplaneNavigation
            import BackplaneTesting
            import Testing

            @testable import \(app)

            @Suite(.timeLimit(.minutes(1))) struct \(name.stem)Tests {
                private let test = TestMotherboard.onMain(exhaustive: false)
                private let navigator = Navigator<\(app)Screen>.onMain(hasTransitions: false)

                /// Opens the page alone; no other feature is installed.
                private func open() throws -> \(name.stem)Model {
                    let content = \(name.stem)Content(title: "A title")
                    test.motherboard.install(\(name.stem)Module(navigator: navigator, load: {\(input == nil ? "" : " _ in") content }))
                    test.motherboard.activate(\(name).id\(input.map { ", with: \($0.example)" } ?? ""))
                    guard case .\(name.caseName)(let model)? = navigator.top?.screen else { throw CancellationError() }
                    return model
                }

                @Test func `it shows what it has loaded`() async throws {
                    let model = try open()
                    await waitUntil { model.state.value?.title == "A title" }
                }
            \(isRoot ? "" : ending)\(sending ?? "")\(receiving ?? "")}

            """
    }
}
