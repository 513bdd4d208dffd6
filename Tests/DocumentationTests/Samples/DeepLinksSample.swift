// The samples of Sources/Backplane/Backplane.docc/DeepLinks.md, with tests.

import Backplane
import Foundation
import Testing

struct ArticleID: RawRepresentable, Hashable, LinkParameter {
    let rawValue: Int
}

enum TextSize: String, LinkParameter { case normal, large }

enum FrontPage: BoardContract {}

enum SectionPage: BoardContract { typealias Input = String }

enum Subscription: BoardContract { typealias Output = Bool }

enum ArticlePage: BoardContract {
    struct Input: Equatable {
        let id: ArticleID
        let size: TextSize
    }
}

@MainActor struct MagazineModule: BoardModule {
    let show: (String) -> Void

    func register(on motherboard: Motherboard) {
        motherboard.register { slot in FrontPageBoard(slot: slot, show: show) }
        motherboard.register { slot in SectionBoard(slot: slot, show: show) }
        motherboard.register { slot in ArticleBoard(slot: slot, show: show) }

        motherboard.registerLink("", to: FrontPage.id)
        motherboard.registerLink("{section}", to: SectionPage.id, parents: [""])
        motherboard.registerLink("{section}/{id}?size={size}", to: ArticlePage.id, parents: ["", "{section}"]) { link in
            ArticlePage.Input(id: try link["id"], size: try link["size"] ?? .normal)
        }
    }
}

@MainActor struct FrontPageBoard: Board {
    let slot: Slot<FrontPage>
    let show: (String) -> Void

    func activate(with input: Void) { show("front page") }
}

@MainActor struct SectionBoard: Board {
    let slot: Slot<SectionPage>
    let show: (String) -> Void

    func activate(with name: String) { show("section \(name)") }
}

@MainActor struct ArticleBoard: Board {
    let slot: Slot<ArticlePage>
    let show: (String) -> Void

    func activate(with input: ArticlePage.Input) { show("article \(input.id.rawValue), \(input.size)") }
}

@MainActor struct LinkHost {
    let motherboard: Motherboard
    let report: (String) -> Void

    func open(_ url: URL) async {
        let link = motherboard.open(url)
        switch await link.settled() {
        case .opened, .cancelled, .ownerGone: break
        case .waiting: link.complete()  // the calling task was cancelled: cancel the link
        case .denied(let denial): report("Not now: \(denial.gate) said no.")
        case .noMatch: report("There is no such page.")
        case .notAllowed: report("This link leads out of the magazine.")
        case .invalid(let error): report("This link is broken. \(error.message)")
        }
    }
}

@MainActor final class DeepLinksSample {
    private let motherboard = Motherboard.onMain()
    private var shown: [String] = []
    private var reports: [String] = []

    init() {
        motherboard.install(MagazineModule { [unowned self] in shown.append($0) })
        motherboard.allowLinks(schemes: ["magazine"], hosts: ["magazine.example"])
    }

    @Test func `a link activates one board`() {
        #expect(motherboard.open("magazine://science/42?size=large") == .opened)
        #expect(motherboard.open("https://magazine.example/science/42") == .opened)
        #expect(motherboard.open("/science") == .opened)
        #expect(shown == ["article 42, large", "article 42, normal", "section science"])
    }

    @Test func `a parameter of a type from another module is read with its initializer`() throws {
        var readers: [UUID] = []
        motherboard.registerLink("reader/number/{id}", to: FrontPage.id) { link in
            readers.append(try link["id", UUID.init(uuidString:)])
        }
        let reader = UUID()
        #expect(motherboard.open("/reader/number/\(reader)") == .opened)
        #expect(readers == [reader])
    }

    @Test func `a host reports links that open nothing`() async throws {
        motherboard.registerTask(Subscription.id) { _, _ in false }
        motherboard.gate(ArticlePage.id, by: Subscription.id) { $0 ? .open : .closed }
        let host = LinkHost(motherboard: motherboard) { [unowned self] in reports.append($0) }
        await host.open(try #require(URL(string: "magazine://science")))
        #expect(shown == ["section science"])
        await host.open(try #require(URL(string: "magazine://science/42/comments")))
        await host.open(try #require(URL(string: "https://elsewhere.example/science")))
        await host.open(try #require(URL(string: "magazine://science/42")))
        await host.open(try #require(URL(string: "magazine://science/%00")))
        #expect(
            reports.dropLast() == [
                "There is no such page.", "This link leads out of the magazine.", "Not now: subscription said no.",
            ]
        )
        #expect(reports.last?.hasPrefix("This link is broken.") == true)
    }

    @Test func `a denied link at a cold start shows the front page`() async {
        motherboard.registerTask(Subscription.id) { _, _ in false }
        motherboard.gate(ArticlePage.id, by: Subscription.id) { $0 ? .open : .closed }
        motherboard.registerDenialFlow { denial, motherboard in
            motherboard.activate(FrontPage.id)
        }
        let link = motherboard.open("magazine://science/42")
        #expect(link == .waiting)
        #expect(await link.settled() == .denied(Denial(of: ArticlePage.id, by: Subscription.id, .closed)))
        #expect(shown == ["front page"])
    }

    @Test func `a parent link opens when the user goes back`() {
        let link = "magazine://science/42"
        #expect(motherboard.open(link) == .opened)
        var backStack = motherboard.parents(of: link)
        #expect(backStack == ["/", "/science"])
        #expect(shown == ["article 42, normal"])

        // The user goes back.
        motherboard.open(backStack.removeLast())
        #expect(shown == ["article 42, normal", "section science"])
    }

    @Test func `a link is written from a template`() throws {
        let article: LinkTemplate = "{section}/{id}?size={size}"
        #expect(try article.link(["section": "arts & crafts", "id": "42"]) == "/arts%20%26%20crafts/42")
        #expect(throws: LinkError.self) { try article.link(["section": "..", "id": "42"]) }
    }

    @Test(arguments: [
        ("/", "front page"),
        ("/science", "section science"),
        ("magazine://science/42", "article 42, normal"),
        ("https://magazine.example/science/42?size=large&utm_source=mail", "article 42, large"),
    ])
    func `a link of the magazine opens its page`(link: String, page: String) {
        #expect(motherboard.open(link) == .opened)
        #expect(shown == [page])
    }

    @Test(arguments: [
        "/science/42/comments", "magazine://science/../admin", "https://magazine.example@evil.example/science/42",
    ])
    func `an unknown or malicious link opens no page`(link: String) {
        #expect(motherboard.open(link).result != .opened)
        #expect(shown.isEmpty)
    }
}
