// The samples of Sources/Backplane/Backplane.docc/SeeingAnApp.md, with tests.

import Backplane
import BackplaneTesting
import Foundation
import Testing

struct LetterID: RawRepresentable, Codable, Hashable { let rawValue: String }

enum Inbox: BoardContract {
    enum Output: Codable {
        case open(LetterID)
        case write
    }
}

enum Letter: BoardContract { typealias Input = LetterID }

enum Draft: BoardContract { typealias Output = LetterID }

enum Passcode: BoardContract { typealias Output = Bool }

struct MailFlows: BoardModule {
    func register(on motherboard: Motherboard) {
        motherboard.gate(Letter.id, by: Passcode.id) { isRight in isRight ? .open : .undecided }
        motherboard.registerFlow(from: Inbox.id, leadingTo: Letter.id, Draft.id) { output, motherboard in
            switch output {
            case .open(let letter): motherboard.activate(Letter.id, with: letter)
            case .write: motherboard.activate(Draft.id)
            }
        }
        motherboard.registerFlowSteps(Draft.id ->>> Letter.id)
    }
}

private let recorded = """
    {"board":"inbox","kind":"activated","number":1,"time":0}
    {"board":"inbox","kind":"output","number":1,"payload":{"open":{"_0":"7f3a"}},"time":2.5}
    {"board":"letter","derived":true,"gate":"passcode","kind":"waiting","payload":"7f3a","time":2.5}
    {"board":"passcode","derived":true,"kind":"activated","number":3,"time":2.5}
    {"board":"passcode","kind":"output","number":3,"payload":true,"time":6}
    {"board":"letter","derived":true,"gate":"passcode","kind":"gateOpened","time":6}
    {"board":"letter","derived":true,"kind":"activated","number":4,"payload":"7f3a","time":6}
    {"board":"passcode","kind":"completed","number":3,"payload":"done","time":6}
    {"board":"letter","kind":"completed","number":4,"payload":"cancelled","time":9}

    """

@MainActor func record(_ motherboard: Motherboard, to file: FileHandle) -> Registration {
    motherboard.recordEvents { entry in try? file.write(contentsOf: Data("\(entry)\n".utf8)) }
}

@MainActor func save(_ motherboard: Motherboard, to file: URL) throws {
    try JSONEncoder().encode(motherboard.snapshot()).write(to: file, options: .atomic)
}

@MainActor func restore(_ motherboard: Motherboard, from file: URL) throws {
    let snapshot = try JSONDecoder().decode(BoardSnapshot.self, from: Data(contentsOf: file))
    for missing in motherboard.restore(snapshot) { print("not restored: \(missing)") }
}

@MainActor @Test func `a recorded log replays without differences`() throws {
    let motherboard = Motherboard()
    motherboard.install(MailFlows())

    let replay = motherboard.replay(try EventLog(jsonLines: recorded))

    #expect(replay.isFaithful, "\(replay)")
}

@MainActor struct SeeingSample {
    let motherboard = Motherboard.onMain()
    private let inbox: TestBoard<Inbox>
    private let passcode: TestBoard<Passcode>
    private let letter: TestBoard<Letter>

    init() {
        motherboard.install(MailFlows())
        inbox = TestBoard(Inbox.id, on: motherboard)
        passcode = TestBoard(Passcode.id, on: motherboard)
        letter = TestBoard(Letter.id, on: motherboard)
    }

    private func play() {
        motherboard.activate(Inbox.id)
        inbox.send(.open(LetterID(rawValue: "7f3a")))
        passcode.complete(sending: true)
        letter.complete(.cancelled)
    }

    /// Returns whether the page shows `text` in its own block.
    private func shows(_ text: String, as language: String = "") throws -> Bool {
        try MarkdownSamples.page("Backplane/Backplane.docc/SeeingAnApp.md").contains("```\(language)\n\(text)```\n")
    }

    private func withTemporaryFile(_ body: (URL) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "seeing-\(UUID().uuidString)")
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file)
    }

    @Test func `observed events have text forms`() throws {
        var printed = ""
        func print(_ event: BoardEvent) { printed += "\(event)\n" }
        motherboard.observe { event in print(event) }
        play()
        #expect(try shows(printed), "\(printed)")
    }

    @Test func `an observer of one board ID receives typed values`() {
        var tracked: [String] = []
        func track(_ name: String, _ letter: LetterID? = nil) { tracked.append(name + (letter?.rawValue ?? "")) }
        motherboard.observe(Inbox.id) { happening in
            switch happening {
            case .activated: track("inbox shown")
            case .sent(.open(let letter)): track("letter opened", letter)
            case .sent(.write), .received, .completed: break
            }
        }
        play()
        #expect(tracked == ["inbox shown", "letter opened7f3a"])
    }

    @Test func `a recording writes events as lines of a file`() throws {
        try withTemporaryFile { url in
            let file = try FileHandle(forWritingTo: url)
            let token = record(motherboard, to: file)
            play()
            motherboard.remove(token)
            try file.close()
            let lines = try String(contentsOf: url, encoding: .utf8)
            let untimed = { (text: String) in text.replacing(#/"time":[0-9.e-]+/#, with: "") }
            #expect(untimed(lines) == untimed(recorded))
        }
        #expect(try shows(recorded))
    }

    @Test func `a recording contains no payload of a withheld board`() {
        var log = EventLog()
        motherboard.recordEvents(excluding: Letter.id, Draft.id) { entry in
            log.entries.append(entry)
        }
        play()
        let lines = log.entries.map(\.description).filter { $0.contains("7f3a") }
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.contains(#""board":"inbox""#) })
        #expect(log.jsonLines.contains(#""unwritten":"withheld""#))
    }

    @Test func `a replay describes the differences`() throws {
        let motherboard = Motherboard()
        motherboard.registerFlow(from: Inbox.id, to: Letter.id) { output in
            if case .open(let letter) = output { letter } else { nil }
        }
        let replay = motherboard.replay(try EventLog(jsonLines: recorded))
        #expect(try shows("\(replay)\n"), "\(replay)")
    }

    @Test func `a restored board waits at its gate`() throws {
        motherboard.activate(Inbox.id)
        inbox.send(.open(LetterID(rawValue: "7f3a")))
        let other = Motherboard()
        other.install(MailFlows())
        let inbox = TestBoard(Inbox.id, on: other)
        let passcode = TestBoard(Passcode.id, on: other)
        let letter = TestBoard(Letter.id, on: other)
        try withTemporaryFile { file in
            try save(motherboard, to: file)
            try restore(other, from: file)
        }
        #expect(inbox.slot != nil)
        #expect(letter.slot == nil)
        passcode.send(true)
        #expect(letter.inputs == [LetterID(rawValue: "7f3a")])

        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try shows(String(decoding: encoder.encode(motherboard.snapshot()), as: UTF8.self) + "\n"))
    }

    @Test func `the graph equals the diagram on the page`() throws {
        var printed = ""
        func print(_ text: String) { printed += text }
        print(motherboard.graph().mermaid)
        #expect(try shows(printed, as: "mermaid"), "\(printed)")
        #expect(motherboard.graph().dot.contains("style=dashed"))
    }
}
