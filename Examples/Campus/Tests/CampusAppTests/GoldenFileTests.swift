import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import CampusModels
import CampusNetworking
import CourseModels
import DashboardModels
import Foundation
import GRDB
import HTTPTypes
import ProductInterface
import ProductModels
import Screens
import Testing

@testable import CampusAssembly

/// Tests that this version of the app sends the changes in the files of earlier versions.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct GoldenFileTests {
    /// The time of day of the test, which is soon after the last attempt in the file.
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private let server = NetworkStub()

    init() {
        let todo = StubbedResponse.json(#"{"id":"abc123-2","isDone":true,"rev":1,"title":"Write the table"}"#)
        let message = StubbedResponse.json(#"{"id":"1","recipients":[],"text":"First"}"#)
        let purchase = StubbedResponse.json(#"{"id":"1","price":{"cents":495},"product":"cards"}"#)
        server.respond(to: .put, "courses/*/todos/*", with: todo)
        server.respond(to: .post, "messages", with: message)
        server.respond(to: .put, "favorites/*", with: .status(.noContent))
        server.respond(to: .post, "purchases", with: purchase)
    }

    /// Opens the file of an earlier version, as after an update of the app on the same device.
    private func open(_ golden: [UInt8], in directory: URL) throws -> AccountOutbox {
        let file = directory.appending(path: "outbox.sqlite")
        let database = try DatabaseQueue(path: file.path)
        try database.write { try $0.execute(sql: String(decoding: golden, as: UTF8.self)) }
        try database.close()
        // The name of the device, without which the file would count as a copy.
        try Data("golden".utf8).write(to: URL(filePath: file.path + "-install"))
        let service = try NonAuthenticatedNetworkController(baseURL: server.baseURL, transport: server)
        let controller = AuthenticatedNetworkController(
            over: service,
            tokens: NetworkTokens(
                access: AccessToken(rawValue: "access"),
                refresh: RefreshToken(rawValue: "refresh")
            ),
            refresh: { .refresh($0) }
        )
        let now = Self.now
        return try Outbox.campus(file: file, timeOfDay: { now }).account("ada", through: controller)
    }

    /// The requests that the server has received: the method, the path and the body, by their keys.
    private var received: [String: String] {
        var received: [String: String] = [:]
        for request in server.requests {
            let key = request.headerFields.first { $0.name.canonicalName == "idempotency-key" }?.value ?? "none"
            let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
            #expect(received[key] == nil, "each request is sent once")
            received[key] = "\(request) \(body)"
        }
        return received
    }

    private func key(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

    @Test func `the changes in a file of the first schema are sent with their keys and their bytes`() async throws {
        try await withTemporaryDirectory { directory in
            let ada = try open(PackageResources.outbox_1_sql, in: directory)
            #expect(
                try await ada.operations(limit: 9).map(\.state) == [
                    .queued, .sending, .waitingForSignIn, .waitingForUpdate, .conflict, .needsReview, .refused,
                ]
            )
            ada.start()
            try await ada.waitUntilDrained()
            let sent = [
                key(1): #"PUT /courses/abc123/todos/abc123-2 { "isDone" : true }"#,
                key(2): #"POST /messages { "text" : "First", "recipients" : ["tutor-babbage"] }"#,
                key(3): "PUT /favorites/cards ",
                key(4): #"POST /purchases { "product" : "cards" }"#,
            ]
            #expect(received == sent)

            let parked = try await ada.operations(limit: 9)
            #expect(parked.map(\.state) == [.conflict, .needsReview, .refused])
            for operation in parked { try await ada.retry(operation.id) }
            try await ada.waitUntilDrained()
            #expect(
                received.filter { sent[$0.key] == nil } == [
                    key(5): """
                    PUT /courses/abc123/todos/abc123-3 \
                    { "isDone" : true, "note" : "later versions do not know this" }
                    """,
                    key(6): #"POST /purchases { "product" : "chalk" }"#,
                    key(7): #"POST /messages { "text" : "Second", "recipients" : ["tutor-babbage"] }"#,
                ]
            )
            #expect(try await ada.operations(limit: 9).isEmpty)
        }
    }

    @Test func `the changes in a file of the first schema are shown`() async throws {
        try await withTemporaryDirectory { directory in
            let ada = try open(PackageResources.outbox_1_sql, in: directory)
            let operations = try await ada.operations(limit: 9)
            #expect(operations[0].change(as: TickTodo.self)?.todo == "abc123-2")
            #expect(operations[1].change(as: OutgoingMessage.self)?.draft.text == "First")
            #expect(operations[2].change(as: FavoriteChange.self) == FavoriteChange("cards", isFavorite: true))

            let saved = SavedChanges(ada, orders: PurchaseOrders())
            try await saved.update()
            #expect(saved.changes.first?.since == Timestamp(Self.now.addingTimeInterval(-99_999)))
            #expect(saved.date(of: "cards") == Timestamp(Self.now.addingTimeInterval(-99_996)))
            #expect(saved.date(of: "chalk") == nil)
            let unsent = saved.changes.filter(\.state.needsDecision)
            #expect(saved.changes.count - unsent.count == 4)
            #expect(saved.changes.contains { $0.state == .waitingForSignIn })
            #expect(unsent.map(\.kind) == ["To-do", "Purchase", "To Charles Babbage"])
            #expect(
                unsent.map(\.state) == [
                    .conflict(reason: "The campus is closed for changes right now."), .unclear,
                    .refused(reason: "The term is over, so this cannot be changed any more."),
                ]
            )
        }
    }
}
