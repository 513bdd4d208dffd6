// The samples of Sources/Backplane/Backplane.docc/StructuringAnApp.md, with tests. The flows are in
// SeeingSample.swift.

import Backplane
import BackplaneNetworking
import BackplaneTesting
import Foundation
import TestSupport
import Testing

protocol Mailbox {
    func text(of letter: LetterID) async throws -> String
    func archive(_ letter: LetterID) async throws
}

enum Search: BoardContract {
    struct Input: Codable, Equatable {
        var text: String
        var onlyUnread: Bool?

        init(text: String, onlyUnread: Bool? = nil) {
            self.text = text
            self.onlyUnread = onlyUnread
        }
    }
}

extension BoardID<Inbox> { static var archive: Self { "archive" } }

@MainActor struct InboxBoard: Board {
    let slot: Slot<Inbox>

    func activate(with input: Void) {}
}

@MainActor struct MailboxModule: BoardModule {
    let board: BoardID<Inbox>
    var identity: BoardID<Inbox> { board }

    func register(on motherboard: Motherboard) {
        motherboard.register(board) { slot in InboxBoard(slot: slot) }
    }
}

@MainActor struct LetterModule: BoardModule {
    let mailbox: any Mailbox
    let show: (String) -> Void

    func register(on motherboard: Motherboard) {
        motherboard.register(reuse: .perActivation) { slot in LetterBoard(slot: slot, module: self) }
    }
}

@MainActor struct LetterBoard: Board {
    let slot: Slot<Letter>
    let module: LetterModule

    func activate(with letter: LetterID) {
        task { module.show(try await module.mailbox.text(of: letter)) }
    }
}

nonisolated struct Stamp: Codable, Identifiable, Sendable {
    let id: String
    var title: String
}

nonisolated enum StampPage: BoardContract { typealias Input = Stamp.ID }

nonisolated extension AuthenticatedEndpoint<Stamp> {
    static func stamp(_ id: Stamp.ID) -> Self { Self(.get("stamps/\(id)")) }
}

@MainActor struct StructuringSample {
    let motherboard = Motherboard.onMain()

    @Test(.rule("M12")) func `an input with a new property is restored from an older snapshot`() throws {
        let search = TestBoard(Search.id, on: motherboard)
        let before = #"{"boards":[{"board":"search","input":{"text":"tide"}}]}"#
        let snapshot = try JSONDecoder().decode(BoardSnapshot.self, from: Data(before.utf8))
        #expect(motherboard.restore(snapshot).isEmpty)
        #expect(search.inputs == [Search.Input(text: "tide")])
    }

    @Test func `a module type can be installed several times`() {
        motherboard.install(MailboxModule(board: Inbox.id), MailboxModule(board: .archive))
        #expect(motherboard.activate(Inbox.id).state == .active)
        #expect(motherboard.activate(.archive).state == .active)
    }

    @Test(.rule("M11")) func `one object can implement the protocol of a feature`() async throws {
        final class Archive: Mailbox {
            var archived: [LetterID] = []
            func text(of letter: LetterID) async throws -> String { "Dear \(letter.rawValue)" }
            func archive(_ letter: LetterID) async throws { archived.append(letter) }
        }
        let archive = Archive()
        let mailbox: any Mailbox = archive
        let ada = LetterID(rawValue: "Ada")
        var shown: [String] = []
        let test = TestMotherboard(exhaustive: false)
        test.motherboard.install(LetterModule(mailbox: mailbox, show: { shown.append($0) }))
        test.motherboard.activate(Letter.id, with: ada)
        await test.settled()
        #expect(shown == ["Dear Ada"])
        try await mailbox.archive(ada)
        #expect(archive.archived == [ada])
    }
}
