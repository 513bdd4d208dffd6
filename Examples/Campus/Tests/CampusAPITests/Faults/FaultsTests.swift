import CampusAPI
import CampusModels
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FaultsTests {
    @Test func `faults are read from text, and white space and empty rules are ignored`() throws {
        let text = "slow=/courses/*/tutor:800ms,fail=/courses/*/schedule:2"
        #expect(try Faults(text) == Faults(" slow=/courses/*/tutor:800ms , ,fail=/courses/*/schedule:2\n"))
        #expect(try Faults("") == .none)
        #expect(try Faults("slow=/me:2s") == Faults("slow=/me:2000ms"))
        #expect(try Faults("fail=/me") != Faults("fail=/me:1"))
        #expect(try Faults("fail=/me") != Faults("unauthorized=/me"))
    }

    @Test(
        arguments: [
            ("slow", "no '='"),
            ("flood=/me", "there is no 'flood'; there are slow, hold, fail, deny, unauthorized, reject, invalid,"),
            ("fail=me", "must start with '/'"),
            ("fail=", "must start with '/'"),
            ("fail=/**/tutor", "'**' only at its end"),
            ("slow=/me", "such as 800ms or 2s"),
            ("slow=/me:soon", "such as 800ms or 2s"),
            ("slow=/me:-1s", "such as 800ms or 2s"),
            ("fail=/me:0", "1 or more"),
            ("fail=/me:twice", "1 or more"),
            ("unauthorized=/me:", "1 or more"),
            ("reject=/me:0", "1 or more"),
            ("invalid=/me:0", "1 or more"),
            ("ramble=/me:0", "1 or more"),
            ("drop=/me:0", "1 or more"),
            ("garble=/me:0", "1 or more"),
            ("hold=/me:1", "it takes no argument after its path"),
        ]
    )
    func `the error for an invalid rule contains the rule and the reason`(rule: String, reason: String) throws {
        let error = try #require(throws: CampusAPIError.self) { try Faults("fail=/courses:2,\(rule)") }
        #expect(error.code == .invalidFaults)
        #expect(error.message.contains("'\(rule)'"))
        #expect(error.message.contains(reason))
    }

    @Test func `a section fails as often as its fault says while other sections load`() async throws {
        try await withAPI {
            $0.faults = try? Faults("fail=/courses/*/schedule:2")
        } _: { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            for _ in 1...2 {
                let failed = try await api.get("/courses/abc123/schedule", token: token)
                #expect(failed.status == 503)
                #expect(try failed.error.code == .unavailable)
                #expect(try await api.get("/courses/abc123/tutor", token: token).status == 200)
            }
            #expect(try await api.get("/courses/abc123/schedule", token: token).status == 200)
        }
    }

    @Test func `a fault without a count lasts until the faults are replaced`() async throws {
        try await withAPI {
            $0.faults = try? Faults("fail=/catalog")
        } _: { api in
            for _ in 1...3 {
                let failed = try await api.get("/catalog")
                #expect(failed.status == 503)
            }
            #expect(try await api.post("/_faults", FaultsRequest(faults: "")).status == 204)
            #expect(try await api.get("/catalog").status == 200)
        }
    }

    @Test func `injected 401s look like expired tokens, and only requests with a token get them`() async throws {
        try await withAPI {
            $0.faults = Faults.none
        } _: { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            #expect(try await api.post("/_faults", FaultsRequest(faults: "unauthorized=/**")).status == 204)
            let stormy = try await api.get("/me", token: token)
            #expect(stormy.status == 401)
            #expect(stormy.header("WWW-Authenticate") == [#"Bearer realm="campus", error="invalid_token""#])
            let tokens = try await api.signIn(DemoUsers.ada)
            #expect(try await api.refresh(tokens.refreshToken).status == 200, "it has no access token to refuse")
            #expect(try await api.post("/_faults", FaultsRequest(faults: "unauthorized=/me:1")).status == 204)
            #expect(try await api.get("/me", token: token).status == 401)
            #expect(try await api.get("/me", token: token).status == 200)
        }
    }

    @Test func `a slow section responds after its delay and does not delay other requests`() async throws {
        let time = TestTime()
        try await withAPI { configuration in
            time.drive(&configuration)
            configuration.faults = try? Faults("slow=/courses/*/tutor:200s")
        } _: { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            async let slow = api.get("/courses/abc123/tutor", token: token)
            await time.sleepers(atLeast: 1)
            #expect(try await api.get("/courses/abc123/schedule", token: token).status == 200)
            time.advance(by: .seconds(200))
            #expect(try await slow.status == 200)
        }
    }

    @Test func `a slow request does not delay the server's shutdown`() async throws {
        let time = TestTime()
        let slow = try await withAPI { configuration in
            time.drive(&configuration)
            configuration.faults = try? Faults("slow=/health:200s")
        } _: { api in
            let slow = Task { try await api.get("/health").status }
            await time.sleepers(atLeast: 1)
            return slow
        }
        #expect(try await slow.value == 503)
    }

    @Test func `a rejection has a reason and changes nothing, and requests that only read succeed`() async throws {
        try await withAPI {
            $0.faults = try? Faults("reject=/purchases:1")
        } _: { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            #expect(try await api.get("/purchases", token: token).status == 200)
            let refused = try await api.post("/purchases", NewPurchase(product: "cards"), token: token, key: "k")
            #expect(refused.status == 409)
            #expect(try refused.error.code == .conflict)
            #expect(try refused.error.message.contains("closed for changes"))
            #expect(try await api.get("/purchases", token: token).decoded(as: [Purchase].self).isEmpty)
            let taken = try await api.post("/purchases", NewPurchase(product: "cards"), token: token, key: "k")
            #expect(taken.status == 201)
        }
    }

    @Test func `a request with a dropped response has its effect, and can be repeated`() async throws {
        try await withAPI {
            $0.faults = try? Faults("drop=/courses/*/todos/*:1")
        } _: { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let path = "/courses/abc123/todos/abc123-2"
            #expect(try await api.put(path, TodoChange(isDone: true), token: token, key: "k").status == 503)
            let todos: [Todo] = try await api.get("/courses/abc123/todos", token: token).decoded()
            #expect(todos[1].isDone)
            let again = try await api.put(path, TodoChange(isDone: true), token: token, key: "k")
            #expect(again.status == 200)
            #expect(try again.decoded(as: Todo.self).rev == 1)
        }
    }

    @Test(arguments: [("invalid", 1...100), ("ramble", 100_000...110_000)])
    func `a fault of the content has a reason and changes nothing`(
        fault: String,
        length: ClosedRange<Int>
    ) async throws {
        try await withAPI {
            $0.faults = try? Faults("\(fault)=/courses/*/todos/*:1")
        } _: { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let path = "/courses/abc123/todos/abc123-2"
            let refused = try await api.put(path, TodoChange(isDone: true), token: token, key: "k")
            #expect(refused.status == 422)
            #expect(try refused.error.code == .invalidContent)
            #expect(try refused.error.message.hasPrefix("The term is over"))
            #expect(try length.contains(refused.error.message.utf8.count))
            let accepted = try await api.put(path, TodoChange(isDone: true), token: token, key: "k")
            #expect(try accepted.decoded(as: Todo.self).rev == 1)
        }
    }

    @Test func `a request with a garbled response has its effect, and can be repeated`() async throws {
        try await withAPI {
            $0.faults = try? Faults("garble=/courses/*/todos/*:1")
        } _: { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let path = "/courses/abc123/todos/abc123-2"
            let garbled = try await api.put(path, TodoChange(isDone: true), token: token, key: "k")
            #expect(garbled.status == 200)
            #expect(throws: DecodingError.self) { try garbled.decoded(as: Todo.self) }
            let again = try await api.put(path, TodoChange(isDone: true), token: token, key: "k")
            #expect(try again.decoded(as: Todo.self).rev == 1)
        }
    }

    @Test func `a request with a lost response has its effect, and reads are lost and denied, too`() async throws {
        try await withAPI {
            $0.faults = try? Faults("lose=/courses/*/todos/*:1,lose=/me:1,deny=/me:1")
        } _: { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let path = "/courses/abc123/todos/abc123-2"
            await #expect(throws: (any Error).self) {
                try await api.put(path, TodoChange(isDone: true), token: token, key: "k")
            }
            let again = try await api.put(path, TodoChange(isDone: true), token: token, key: "k")
            #expect(try again.decoded(as: Todo.self).rev == 1)
            await #expect(throws: (any Error).self) { try await api.get("/me", token: token) }
            let denied = try await api.get("/me", token: token)
            #expect(denied.status == 403)
            #expect(try denied.error.code == .forbidden)
            #expect(try await api.get("/me", token: token).status == 200)
        }
    }

    @Test func `faults cannot be changed on a server that was started without faults`() async throws {
        try await withAPI { api in
            let answer = try await api.post("/_faults", FaultsRequest(faults: "fail=/**"))
            #expect(answer.status == 404)
            #expect(try await api.get("/health").status == 200)
        }
    }

    @Test func `an invalid change of the faults changes nothing`() async throws {
        try await withAPI {
            $0.faults = try? Faults("fail=/catalog")
        } _: { api in
            let answer = try await api.post("/_faults", FaultsRequest(faults: "nonsense"))
            #expect(answer.status == 400)
            #expect(try answer.error.message.contains("'nonsense'"))
            #expect(try await api.get("/catalog").status == 503)
        }
    }
}
