import CampusModels
import CampusTestTools
import Testing
import WebDriver

/// M10, M17: tests of a product's favorite, purchase and share buttons.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ProductTests {
    private let favorite = "#section-favorite"
    private let shop = "#section-shop"

    private func favorites(_ campus: Campus) async throws -> [Product.ID] { try await campus.adas("/favorites") }
    private func purchases(_ campus: Campus) async throws -> [Purchase] { try await campus.adas("/purchases") }

    /// Runs `body` with Ada at a product's page.
    private func withProduct(
        isScripted: Bool = true,
        _ body: @Sendable (Browser, Campus) async throws -> Void
    ) async throws {
        try await withFaultyCampus(at: "/", isScripted: isScripted) { browser, campus in
            try await browser.waitFor("#section-user", text: "Ada Lovelace")
            try await browser.open(campus.url() + "/product/nanosecond")
            try await browser.waitFor(favorite, text: "Not one of your favorites")
            try await body(browser, campus)
        }
    }

    @Test(.rule("A4")) func `a favorite shows at once and is reverted with the reason if the API refuses`() async throws
    {
        try await withProduct { browser, campus in
            try await campus.inject(faults: "hold=/favorites/*,reject=/favorites/*:1")
            try await browser.click("\(favorite) button", text: "Add")
            try await browser.waitFor(favorite, text: "★ One of your favorites")
            try await browser.waitFor(favorite, text: "Not saved yet")
            // The page does not tell whether the change has reached the API.
            try await campus.inject(faults: "reject=/favorites/*:1")
            try await browser.waitFor("\(favorite) [role=alert]", text: "The campus is closed for changes right now.")
            try await campus.inject(faults: "")
            try await browser.waitFor(favorite, text: "☆ Not one of your favorites")
            #expect(try await favorites(campus).isEmpty)

            try await browser.click("\(favorite) button", text: "Dismiss")
            try await browser.waitForAbsence(of: "\(favorite) [role=alert]")
            try await browser.click("\(favorite) button", text: "Add")
            try await browser.waitFor("\(favorite) button", text: "Remove")
            try await browser.waitForAbsence(of: "\(favorite) .muted")
            #expect(try await favorites(campus) == ["nanosecond"])
            try await browser.refresh()
            try await browser.click("\(favorite) button", text: "Remove")
            try await browser.waitFor("\(favorite) button", text: "Add")
            try await browser.waitForAbsence(of: "\(favorite) .muted")
            #expect(try await favorites(campus).isEmpty)
        }
    }

    @Test(.rule("A5")) func `if the response to a purchase is lost, it is made once`() async throws {
        try await withProduct { browser, campus in
            try await campus.inject(faults: "drop=/purchases:1")
            try await browser.click("\(shop) button", text: "Buy")
            try await browser.waitFor("\(shop) [role=status]", text: "You have bought this for €1.00.")
            #expect(await campus.output.lines.contains { $0.contains("POST /purchases 503") })
            #expect(try await purchases(campus).map(\.product) == ["nanosecond"])
        }
    }

    @Test func `a refused purchase shows the reason and buys nothing`() async throws {
        try await withProduct { browser, campus in
            try await campus.inject(faults: "reject=/purchases:1")
            try await browser.click("\(shop) button", text: "Buy")
            try await browser.waitFor("\(shop) [role=alert]", text: "The campus is closed for changes right now.")
            #expect(try await purchases(campus).isEmpty)
        }
    }

    @Test(.rule("B47"), arguments: [true, false])
    func `an expensive product is bought after the password is typed again`(isScripted: Bool) async throws {
        try await withProduct(isScripted: isScripted) { browser, campus in
            try await browser.open(campus.url() + "/product/notes")
            for password in ["wrong", "correct horse"] {
                try await browser.click("\(shop) button", text: "Buy")
                try await browser.waitFor("#sheet", text: "Notes on the Analytical Engine costs €18.50.")
                #expect(try await purchases(campus).isEmpty)
                try await browser.type(password, into: "#sheet #password")
                try await browser.click("#sheet button", text: "Confirm")
                guard password == "wrong" else { continue }
                try await browser.waitFor("#sheet [role=alert]", text: "This is not your password.")
                try await browser.click("#sheet button", text: "Cancel")
                try await browser.waitForAbsence(of: "#sheet #password")
            }
            try await browser.waitFor("\(shop) [role=status]", text: "You have bought this for €18.50.")
            #expect(try await purchases(campus).map(\.product) == ["notes"])
        }
    }

    @Test func `a button pressed while signed out asks to sign in and then performs its action`() async throws {
        try await withFaultyCampus(at: "/product/nanosecond", isSignedIn: false) { browser, campus in
            try await browser.click("\(favorite) button", text: "Add")
            try await browser.signIn()
            try await browser.waitFor("h1", text: "A Nanosecond")
            try await browser.waitFor("\(favorite) button", text: "Remove")
            try await browser.waitForAbsence(of: "\(favorite) .muted")
            #expect(try await browser.currentURL == campus.url() + "/product/nanosecond")
            #expect(try await favorites(campus) == ["nanosecond"])
            try await browser.click("\(shop) button", text: "Buy")
            try await browser.waitFor("\(shop) [role=status]", text: "You have bought this")
            try await browser.click("\(shop) button", text: "Share")
            try await browser.waitFor("\(shop) a", text: "/product/nanosecond")
        }
    }

    @Test func `favorites and purchases work without script, and a refusal shows its reason`() async throws {
        try await withProduct(isScripted: false) { browser, campus in
            try await campus.inject(faults: "reject=/favorites/*:1,drop=/purchases:1")
            try await browser.click("\(favorite) button", text: "Add")
            try await browser.waitFor("\(favorite) [role=alert]", text: "closed for changes")
            try await browser.waitFor(favorite, text: "☆ Not one of your favorites")
            try await browser.click("\(favorite) button", text: "Add")
            try await browser.waitFor(favorite, text: "★ One of your favorites")
            try await browser.click("\(shop) button", text: "Buy")
            try await browser.waitFor("\(shop) [role=status]", text: "You have bought this for €1.00.")
            try await browser.click("\(shop) button", text: "Share")
            try await browser.click("\(shop) a", text: "/product/nanosecond")
            try await browser.waitFor("h1", text: "A Nanosecond")
            #expect(try await favorites(campus) == ["nanosecond"])
            #expect(try await purchases(campus).map(\.product) == ["nanosecond"])
        }
    }

    @Test func `a purchase while signed out works without script after the sign-in`() async throws {
        try await withFaultyCampus(at: "/product/nanosecond", isScripted: false, isSignedIn: false) { browser, campus in
            try await browser.click("\(shop) button", text: "Buy")
            try await browser.signIn()
            try await browser.waitFor("\(shop) [role=status]", text: "You have bought this for €1.00.")
            #expect(try await purchases(campus).map(\.product) == ["nanosecond"])
        }
    }
}
