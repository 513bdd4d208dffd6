import CampusAPI
import CampusModels
import CampusTestTools
import Testing

/// Tests of favorites and purchases.
@Suite(.timeLimit(.minutes(5)))
struct ShopTests {
    private func favorites(_ api: APIClient, _ token: String) async throws -> [Product.ID] {
        try await api.get("/favorites", token: token).decoded()
    }

    @Test func `favorites belong to one user, and adding a favorite twice changes nothing`() async throws {
        try await withAPI { api in
            let ada = try await api.signIn(DemoUsers.ada).accessToken
            let grace = try await api.signIn(DemoUsers.grace).accessToken
            #expect(try await favorites(api, ada).isEmpty)
            for product in ["notes", "cards", "notes"] {
                #expect(try await api.put("/favorites/\(product)", token: ada).status == 204)
            }
            #expect(try await favorites(api, ada) == ["cards", "notes"])
            #expect(try await favorites(api, grace).isEmpty)
            for _ in 1...2 { #expect(try await api.delete("/favorites/notes", token: ada).status == 204) }
            #expect(try await favorites(api, ada) == ["cards"])
        }
    }

    @Test(.rule("D9")) func `a purchase is made once for a key, at the current price`() async throws {
        try await withAPI { api in
            let ada = try await api.signIn(DemoUsers.ada).accessToken
            let first = try await api.post("/purchases", NewPurchase(product: "cards"), token: ada, key: "k")
            #expect(first.status == 201)
            let purchase: Purchase = try first.decoded()
            #expect(purchase.product == "cards")
            #expect(purchase.price == Price(cents: 495))
            let again = try await api.post("/purchases", NewPurchase(product: "cards"), token: ada, key: "k")
            #expect(again.body == first.body)
            let second = try await api.post("/purchases", NewPurchase(product: "notes"), token: ada, key: "l")
            #expect(try await api.get("/purchases", token: ada).decoded() == [second.decoded(), purchase])
            let grace = try await api.signIn(DemoUsers.grace).accessToken
            #expect(try await api.get("/purchases", token: grace).decoded(as: [Purchase].self).isEmpty)
        }
    }

    @Test func `an unknown product cannot be a favorite, and cannot be bought`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let answers = [
                try await api.put("/favorites/nothing", token: token),
                try await api.delete("/favorites/nothing", token: token),
                try await api.post("/purchases", NewPurchase(product: "nothing"), token: token, key: "k"),
            ]
            for answer in answers {
                #expect(answer.status == 404)
                #expect(try answer.error.message.contains("GET /catalog"))
            }
            #expect(try await api.get("/purchases", token: token).decoded(as: [Purchase].self).isEmpty)
        }
    }

    @Test func `favorites and purchases need a token`() async throws {
        try await withAPI { api in
            let answers = [
                try await api.get("/favorites"),
                try await api.put("/favorites/cards"),
                try await api.delete("/favorites/cards"),
                try await api.get("/purchases"),
                try await api.post("/purchases", NewPurchase(product: "cards")),
            ]
            #expect(answers.map(\.status) == Array(repeating: 401, count: 5))
        }
    }
}
