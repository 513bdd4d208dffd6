import CampusAPI
import CampusModels
import GRDB
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CatalogTests {
    @Test func `the catalog and each product load without a token`() async throws {
        try await withAPI { api in
            let products: [Product] = try await api.get("/catalog").decoded()
            #expect(
                products.map(\.title) == [
                    "A Nanosecond", "Drawing Pencils, 12", "Notes on the Analytical Engine", "Punched Cards, 100",
                ]
            )
            let notes: Product = try await api.get("/catalog/notes").decoded()
            #expect(products.contains(notes))
            #expect(notes.price == Price(cents: 1850))
            #expect(notes.description.hasPrefix("The translation"))
        }
    }

    @Test(arguments: ["nonsense", "NOTES", "%F0%9F%90%9D", "'%20OR%20''='"])
    func `the error for an unknown product says where to find products`(id: String) async throws {
        try await withAPI { api in
            let answer = try await api.get("/catalog/\(id)")
            #expect(answer.status == 404)
            #expect(try answer.error.code == .notFound)
            #expect(try answer.error.message.contains("GET /catalog"))
        }
    }

    @Test func `an old database without a shop gets the shop, and keeps its data`() async throws {
        try await withTemporaryDirectory { directory in
            let configuration = testConfiguration(in: directory)
            let tokens = try await withAPI(configuration) { try await $0.signIn(DemoUsers.ada) }
            try await DatabaseQueue(path: configuration.databasePath).write { db in
                try db.execute(
                    sql: """
                        DROP TABLE product; DROP TABLE messageRecipient; DROP TABLE message; DROP VIEW contact;
                        DELETE FROM grdb_migrations WHERE identifier IN ('messages', 'catalog');
                        """
                )
            }
            try await withAPI(configuration) { api in
                let products: [Product] = try await api.get("/catalog").decoded()
                #expect(products.count == 4)
                let contacts: [Contact] = try await api.get("/contacts", token: tokens.accessToken).decoded()
                #expect(contacts.count == 4)
            }
        }
    }
}
