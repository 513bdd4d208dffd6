// The samples of Sources/BackplaneRemote/BackplaneRemote.docc/BackplaneRemote.md.

import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

private struct Course: Codable, Sendable {
    typealias ID = String

    var title: String
    var entityTag: String?
}

private struct Invoice: Codable, Sendable {
    var number: Int
}

struct Assignment: Codable, Identifiable, Sendable {
    let id: String
    var isDone: Bool
}

extension AuthenticatedEndpoint<Page<String, Assignment>> {
    static func assignments(after cursor: String?) -> Self {
        Self(.get("assignments", query: ["after": cursor]))
    }
}

extension AuthenticatedIdempotentEndpoint<Assignment> {
    fileprivate static func finish(_ id: String) -> Self { Self(.post("assignments/\(id)/completion")) }
}

extension AuthenticatedEndpoint<Course> {
    fileprivate static func course(_ id: String) -> Self {
        Self(.get("courses/\(id)")).map { response, course in
            var course = course
            course.entityTag = response.headerFields[.eTag]
            return course
        }
    }

    fileprivate static func rename(_ id: String, to title: String) -> Self {
        Self(.patch("courses/\(id)", body: .json(["title": title])))
    }
}

extension AuthenticatedIdempotentEndpoint<Invoice> {
    fileprivate static func buy(_ id: String) -> Self { Self(.post("courses/\(id)/purchase")) }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct JoiningSampleTests {
    private let api = NetworkStub()

    private func makeAccount() throws -> AuthenticatedNetworkController {
        let service = try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api)
        let tokens = NetworkTokens(
            access: AccessToken(rawValue: "access"),
            refresh: RefreshToken(rawValue: "refresh"),
            expiresIn: .seconds(900)
        )
        return AuthenticatedNetworkController(over: service, tokens: tokens) { _ in
            NonAuthenticatedEndpoint<NetworkTokens>(.post("refresh")) { _, _, _ in tokens }
        }
    }

    private func respond(_ title: String, status: HTTPResponse.Status = .ok) -> StubbedResponse {
        StubbedResponse(status, headerFields: [.eTag: "v1"], body: Data(#"{"title":"\#(title)"}"#.utf8))
    }

    @Test func `a course is loaded and renamed`() async throws {
        api.respond(to: .get, "courses/lin201", with: respond("Algebra"), respond("Linear Algebra"))
        api.respond(to: .patch, "courses/lin201", with: respond("Linear Algebra"))
        let account = try makeAccount()
        let course = Loader(for: { (id: Course.ID) in .course(id) }, from: account)
        course.load("lin201")
        await course.settled()
        try course.enqueue(
            Mutation(
                .set(\.title, to: "Linear Algebra"),
                send: account.sending(.rename("lin201", to: "Linear Algebra"))
            )
        )
        #expect(course.value?.title == "Linear Algebra")
        await waitUntil { course.pending.isEmpty }
    }

    @Test func `a change of another user is not overwritten, and a text explains it`() async throws {
        api.respond(to: .get, "courses/lin201", with: respond("Algebra"))
        api.respond(to: .patch, "courses/lin201", with: .status(.preconditionFailed))
        let account = try makeAccount()
        try await rename(through: account)
    }

    private func rename(through account: AuthenticatedNetworkController) async throws {
        let account = account.explaining { error in
            if let reason = error.reason { return reason }
            return error.isMissing ? "This no longer exists." : "The server could not respond. Try again."
        }
        let courses = RecordStore<Course.ID, Course>(entityTag: \.entityTag)
        let course = Loader(store: courses, for: { .course($0) }, from: account)
        course.load("lin201")
        await course.settled()
        try course.enqueue(Mutation(.set(\.title, to: "Mine"), send: account.sending(.rename("lin201", to: "Mine"))))
        await waitUntil { course.pending.first?.status == .failed }
        #expect(course.value?.title == "Algebra")
        #expect(course.pending.first?.error?.reason == "The server could not respond. Try again.")
        #expect(api.requests.first { $0.method == .patch }?.headerFields[.ifMatch] == "v1")
    }

    @Test func `an assignment in a list of pages can be finished`() async throws {
        api.respond(to: .get, "assignments") { request in
            request.description == "GET /assignments"
                ? .json(#"{"items":[{"id":"a1","isDone":false}],"next":"a1"}"#)
                : .json(#"{"items":[{"id":"a2","isDone":true}]}"#)
        }
        api.respond(to: .post, "assignments/a1/completion", with: .json(#"{"id":"a1","isDone":true}"#))
        let account = try makeAccount()
        let assignments = PagedLoader<String, Assignment>(for: { .assignments(after: $0) }, from: account)
        assignments.load()
        await assignments.settled()
        assignments.loadMore()
        await assignments.settled()
        #expect(assignments.items.map(\.isDone) == [false, true])

        try assignments.enqueue(
            Mutation(.set(\.isDone, to: true), send: account.sending(.finish("a1")), confirming: { $0 }),
            of: "a1"
        )
        let isBeingSaved = assignments.pending(of: "a1").contains { $0.status != .failed }
        #expect(isBeingSaved)
        #expect(assignments.items.map(\.isDone) == [true, true])
        await waitUntil { assignments.pending(of: "a1").isEmpty }
        #expect(api.requests.last?.headerFields[.idempotencyKey] != nil)
        #expect(api.requests.contains { $0.description == "GET /assignments?after=a1" })
    }

    @Test func `a purchase is repeated safely`() async throws {
        api.respond(to: .post, "courses/lin201/purchase", with: .json(#"{"number":7}"#))
        let account = try makeAccount()
        let purchase = IdempotentAction<Course.ID, Invoice>(for: { .buy($0) }, through: account)
        let invoice = try await purchase("lin201")
        #expect(invoice.number == 7)
    }
}
