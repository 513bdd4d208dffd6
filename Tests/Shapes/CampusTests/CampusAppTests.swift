import CampusAccounts
import CampusAppleUI
import CampusAssembly
import CampusModels
import Screens
import SwiftUI
import Testing

/// Tests of the app for Apple's systems, whose user sees only what the views draw.
@Suite(.timeLimit(.minutes(5))) @MainActor struct CampusAppTests {
    @Test func `a user signs in and sees the dashboard`() async {
        let person = Person(service: CannedService())
        await person.waits { $0.isEnabled("Sign in") != nil }
        #expect(person.host.isEnabled("Sign in") == false, "the form is empty")
        await person.signsIn()
        await person.sees("Welcome back, Ada Lovelace.")
        await person.sees("Appointments this week: 1. Open to-dos: 1.")
        await person.sees("Analytical Engines")
        await person.sees("To Charles Babbage")
        #expect(person.host.problems.isEmpty)
    }

    @Test func `a user who is signed in sees the dashboard at once`() async {
        let person = Person()
        await person.sees("Welcome back, Ada Lovelace.")
        #expect(person.host.isEnabled("Sign in") == nil)
    }

    @Test func `a to-do that is ticked shows at once, and the dashboard counts it`() async {
        let person = Person()
        await person.taps(Person.course)
        await person.sees("Tuesdays, 14:00 to 16:00")
        await person.sees("Monday, 09:30–11:00 · Hall 1")
        await person.taps("Write the table for the Bernoulli numbers")
        await person.sees("Not saved yet")
        await person.misses("Not saved yet")
        person.host.goBack()
        await person.sees("Appointments this week: 1. Open to-dos: 0.")
        #expect(person.host.problems.isEmpty)
    }

    @Test func `the bar opens the screens of the features`() async {
        let person = Person()
        await person.taps("Settings")
        await person.sees("Firefox on Linux")
        await person.taps("Campus shop")
        await person.taps("Punched Cards €4.95")
        await person.sees("A hundred, blank.")
        await person.taps("Dashboard")
        await person.sees("Welcome back, Ada Lovelace.")
        #expect(person.host.problems.isEmpty)
    }

    @Test func `products that fail to load can be loaded again`() async {
        let person = Person(service: FlakyService())
        await person.taps("Campus shop")
        await person.sees("Not loaded")
        await person.taps("Try again")
        await person.sees("Punched Cards")
        #expect(person.host.isEnabled("Try again") == nil)
    }

    @Test func `a sign-out shows the form`() async {
        let person = Person()
        await person.sees("Welcome back, Ada Lovelace.")
        await person.taps("Sign out")
        await person.waits { $0.isEnabled("Sign in") != nil }
        #expect(person.host.isEnabled("Settings") == nil, "the bar has only the entries without a user")
        #expect(person.host.problems.isEmpty)
    }

    @Test func `a preview shows the screen of its path`() async {
        let host = ShapeHost { CampusView.preview("/course/abc123") }
        while !host.texts.contains("From punched cards to programs."), !Task.isCancelled {
            await Task.yield()
            host.update()
        }
        #expect(host.problems.isEmpty)
    }
}

/// A service whose first load of the products fails.
private actor FlakyService: CampusService {
    private let canned = CannedService()
    private var hasFailed = false

    func catalog() async throws -> [Product] {
        guard hasFailed else {
            hasFailed = true
            throw DisplayError("The shop is closed.")
        }
        return try await canned.catalog()
    }

    func product(_ id: Product.ID) async throws -> Product { try await canned.product(id) }
    func account() async -> (any Account)? { nil }
    func notice() async -> String? { nil }

    func signIn(with request: LoginRequest, onEntry: @escaping @Sendable () async -> Void) async throws -> any Account {
        try await canned.signIn(with: request, onEntry: onEntry)
    }
}
