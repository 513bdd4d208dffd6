import Foundation
import Testing

@testable import BackplaneGenerator

/// Holds generated code against the app that the path of the documentation builds.
///
/// A declaration of `Examples/Club` is the generated one after the replacements of its row.
/// If one of both changes, change the other, or the row.
@Suite(.rule("I12")) struct PathTests {
    struct Row: CustomTestStringConvertible {
        let declaration: String
        let generated: String
        var club: String?
        var replacements: KeyValuePairs<String, String> = [:]

        var testDescription: String { declaration }
    }

    static let rows = [
        Row(declaration: "nonisolated enum MeetingPage", generated: "MeetingPage/MeetingPage.swift"),
        Row(
            declaration: "final class MeetingModel",
            generated: "MeetingPage/MeetingModel.swift",
            replacements: [
                "(\n        id": "(id", "ID,\n        load": "ID, load", "Content,\n        send": "Content, send",
                "Void\n    )": "Void)", "let send: (Meeting.ID) -> Void": "let takeSeat: () -> Void",
                "send: @escaping (Meeting.ID) -> Void": "takeSeat: @escaping () -> Void",
                "self.send = send": "self.takeSeat = takeSeat", "MeetingContent": "Meeting", "content": "meeting",
            ]
        ),
        Row(
            declaration: "struct MeetingBoard",
            generated: "MeetingPage/MeetingModule.swift",
            replacements: ["send: { send($0) }": "takeSeat: { send(id) }"]
        ),
        Row(
            declaration: "struct MeetingModule",
            generated: "MeetingPage/MeetingModule.swift",
            // A generated page has no link for a type that the generator does not know.
            replacements: [
                "MeetingContent": "Meeting",
                "module: self) }\n":
                    "module: self) }\n        motherboard.registerLink(\"meeting/{id}\", to: MeetingPage.id)\n",
            ]
        ),
        Row(
            declaration: "nonisolated enum MeetingList",
            generated: "MeetingList/MeetingList.swift",
            replacements: ["typealias Command = Meeting.ID": "enum Command: Equatable { case mark(Meeting.ID) }"]
        ),
        Row(
            declaration: "final class MeetingListBoard",
            generated: "MeetingList/MeetingListModule.swift",
            club: "MeetingList/MeetingList.swift",
            replacements: [
                "send: { [slot] value in slot.send(value) }": "pick: { [slot] id in slot.send(id) }",
                "push(.meetingList(model))": "setRoot(.meetings(model))",
                "        model?.received = command\n": """
                        switch command {
                        case .mark(let id): model?.marked.insert(id)
                        }

                """,
            ]
        ),
        Row(
            declaration: "struct MeetingListModule",
            generated: "MeetingList/MeetingListModule.swift",
            club: "MeetingList/MeetingList.swift",
            replacements: [
                "MeetingListContent": "[Meeting]", "(reuse: .perActivation)": "",
                "        motherboard.registerLink(\"meeting-list\", to: MeetingList.id)\n": "",
            ]
        ),
        Row(declaration: "final class ClubWindow", generated: "ClubWindow.swift"),
        Row(declaration: "struct ClubView", generated: "SwiftUI/ClubView.swift"),
        Row(
            declaration: "final class Terminal",
            generated: "Terminal/Terminal.swift",
            replacements: [
                "    private var shown": "    private let others: [TerminalPage.Command]\n    private var shown",
                "Window, print": "Window, others: [TerminalPage.Command] = [], print",
                "self.window = window\n": "self.window = window\n        self.others = others\n",
                "(page?.commands ?? [])": "((page?.commands ?? []) + others)", "brackets, or quit": "brackets",
            ]
        ),
        Row(
            declaration: "struct TerminalPage",
            generated: "Terminal/TerminalPage.swift",
            replacements: ["This page cannot be loaded": "The club cannot be reached"]
        ),
    ]

    private static let club = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/Club")

    private func read(_ path: String) throws -> String {
        try String(contentsOf: Self.club.appending(path: path), encoding: .utf8)
    }

    /// The lines of a declaration up to the brace that ends it.
    ///
    /// The screens of the two apps are different, so the cases that draw them are left out.
    private func find(_ declaration: String, in text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let start = lines.firstIndex(where: { $0.hasPrefix(declaration) }),
            let end = lines[start...].firstIndex(of: "}")
        else { return [] }
        return lines[start...end].filter { !$0.hasSuffix("View(model: model)") && !$0.contains("// backplane: ") }
    }

    private func generate() throws -> Files {
        var files = try Files(app: "Club", faces: [.swiftui, .terminal], comments: false)
        try files.add("MeetingPage", input: "Meeting.ID=\"1\"", output: "Meeting.ID=\"1\"")
        try files.add("MeetingList", output: "Meeting.ID=\"1\"", command: "Meeting.ID=\"1\"")
        return files
    }

    @Test(arguments: rows) func `generated code is the code of the path`(row: Row) throws {
        var text = try #require(try generate().texts["Sources/Club/\(row.generated)"])
        for (old, new) in row.replacements {
            #expect(text.contains(old), "nothing to replace")
            text.replace(old, with: new)
        }
        let expected = find(row.declaration, in: try read("Sources/Club/\(row.club ?? row.generated)"))
        #expect(!expected.isEmpty)
        #expect(find(row.declaration, in: text) == expected)
    }

    @Test func `the manifest has the settings of the path`() throws {
        func settings(_ manifest: String?) -> [Substring] {
            (manifest ?? "").split(separator: "\n").map { $0.drop { $0 == " " } }
                .filter { $0.hasPrefix(".enable") || $0.hasPrefix(".default") || $0.hasPrefix("platforms") }
        }
        let generated = settings(try generate().texts["Package.swift"])
        #expect(generated.count == 5)
        #expect(generated == settings(try read("Package.swift")))
    }
}
