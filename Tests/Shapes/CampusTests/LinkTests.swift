import CampusAppleUI
import CampusAssembly
import Foundation
import SwiftUI
import Testing

/// Tests of links to a product, which the user then buys.
@Suite(.timeLimit(.minutes(5))) @MainActor struct LinkTests {
    private let link: URL

    init() throws {
        link = try #require(URL(string: "campus://product/cards"))
    }

    @Test func `a link opens a product above the dashboard, and the user buys it and goes back`() async {
        let person = Person()
        await person.sees("Welcome back, Ada Lovelace.")
        person.host.open(link)
        await person.sees("A hundred, blank.")
        await person.taps("Buy")
        await person.sees("You have bought this for €4.95.")
        await person.taps("Add to your favorites")
        await person.sees("One of your favorites")
        person.host.goBack()
        await person.sees("Welcome back, Ada Lovelace.")
        #expect(person.host.problems.isEmpty)
    }

    @Test func `a user who is not signed in signs in before a purchase`() async {
        let person = Person(service: CannedService())
        person.host.open(link)
        await person.sees("A hundred, blank.")
        await person.taps("Buy")
        await person.signsIn()
        await person.sees("You have bought this for €4.95.")
        #expect(person.host.problems.isEmpty)
    }

    @Test func `a link that reaches only the app's delegate waits for the first window`() async {
        let person = Person(opening: link)
        await person.sees("A hundred, blank.")
        #expect(person.host.isEnabled("Settings") == true, "the session of the user is entered first")
    }

    @Test func `a link for the delegate opens in the window that is there`() async {
        let person = Person()
        await person.sees("Welcome back, Ada Lovelace.")
        person.campus.open(link)
        await person.sees("A hundred, blank.")
        person.host.open(link)
        person.host.goBack()
        await person.sees("Welcome back, Ada Lovelace.")
    }

    @Test func `a link closes the sheet above the screens`() async {
        let person = Person()
        await person.taps(Person.compose)
        await person.taps("Choose recipients")
        await person.waits { $0.presentations == ["sheet"] }
        person.host.open(link)
        await person.waits { $0.presentations.isEmpty }
        await person.sees("A hundred, blank.")
        #expect(person.host.problems.isEmpty)
    }

    @Test func `a link without a target changes nothing`() async throws {
        let person = Person()
        await person.sees("Welcome back, Ada Lovelace.")
        person.host.open(try #require(URL(string: "campus://nowhere")))
        #expect(person.host.texts.contains("Welcome back, Ada Lovelace."))
    }
}
