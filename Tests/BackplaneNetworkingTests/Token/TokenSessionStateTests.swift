import Testing

@testable import BackplaneNetworking

/// The rules without threads, network or time; a waiter is its name.
struct TokenSessionStateTests {
    private typealias State = TokenSessionState<String>

    /// A session whose token is worn out, with a refresh under way for the waiter "first".
    private func refreshing() throws -> (state: State, refresh: TokenRefresh) {
        var state = State(tokens: .named("access-0"), lifetime: .zero)
        guard case .waiting(let refresh?) = state.enrol("first", as: 1, epoch: 0, now: .zero) else {
            throw NetworkError.signedOut
        }
        return (state, refresh)
    }

    @Test func `N2: only the first to wait starts a refresh, and all are woken in the order they came`() throws {
        var (state, refresh) = try refreshing()
        for id in 2...4 {
            guard case .waiting(nil) = state.enrol("\(id)", as: id, epoch: 0, now: .zero) else {
                Issue.record("Waiter \(id) started a refresh of its own.")
                return
            }
        }
        #expect(try state.credential(for: 0, now: .zero) == nil)
        let tokens = try #require(state.successor(by: refresh, bringing: .named("access-1")))
        let result = state.commit(tokens, by: refresh, receivedAt: .zero, now: .zero)
        let committed = try #require(result)
        #expect(committed.waiters == ["first", "2", "3", "4"])
        #expect(committed.credential.access.rawValue == "access-1")
        #expect(committed.credential.stamp == TokenStamp(epoch: 0, generation: 1))
    }

    @Test func `N2: whoever comes to wait when there is a token again gets it`() throws {
        var (state, refresh) = try refreshing()
        _ = state.commit(.named("access-1"), by: refresh, receivedAt: .zero, now: .zero)
        guard case .admitted(let credential) = state.enrol("late", as: 2, epoch: 0, now: .zero) else {
            Issue.record("The late waiter was not admitted.")
            return
        }
        #expect(credential.access.rawValue == "access-1")
    }

    @Test func `N3: refusing a token that has been replaced says nothing about its successor`() throws {
        var (state, refresh) = try refreshing()
        _ = state.commit(.named("access-1"), by: refresh, receivedAt: .zero, now: .zero)
        state.refuse(TokenStamp(epoch: 0, generation: 0))
        #expect(try state.credential(for: 0, now: .zero) != nil)
        state.refuse(TokenStamp(epoch: 0, generation: 1))
        #expect(try state.credential(for: 0, now: .zero) == nil)
    }

    @Test func `N4: removing the last waiter leaves the refresh in force`() throws {
        var (state, refresh) = try refreshing()
        let removed = [state.removeWaiter(1), state.removeWaiter(1)]
        #expect(removed == ["first", nil])
        let committed = state.commit(.named("access-1"), by: refresh, receivedAt: .zero, now: .zero)
        #expect(committed?.waiters == [])
        #expect(try state.credential(for: 0, now: .zero)?.access.rawValue == "access-1")
    }

    @Test(arguments: [false, true])
    func `N6: once the user has gone, no outcome of the refresh counts`(someoneElseCame: Bool) throws {
        var (state, refresh) = try refreshing()
        if someoneElseCame {
            #expect(state.signIn(with: .named("access-b"), lifetime: nil, now: .zero) == ["first"])
        } else {
            #expect(state.signOut()?.waiters == ["first"])
        }
        #expect(state.successor(by: refresh, bringing: .named("access-1")) == nil)
        #expect(state.commit(.named("access-1"), by: refresh, receivedAt: .zero, now: .zero) == nil)
        #expect(state.giveUp(refresh) == nil)
        #expect(state.expire(refresh, with: .sessionExpired(nil)) == nil)
        #expect(state.isSignedIn == someoneElseCame)
    }

    @Test func `N6: an outcome counts once`() throws {
        var (state, refresh) = try refreshing()
        _ = state.commit(.named("access-1"), by: refresh, receivedAt: .zero, now: .zero)
        #expect(state.commit(.named("access-2"), by: refresh, receivedAt: .zero, now: .zero) == nil)
        #expect(state.expire(refresh, with: .sessionExpired(nil)) == nil)
    }

    @Test func `a refresh that brings no refresh token keeps the old one`() throws {
        let (state, refresh) = try refreshing()
        let tokens = state.successor(by: refresh, bringing: .named("access-1", refresh: nil))
        #expect(tokens?.refresh?.rawValue == "refresh-1")
    }

    @Test func `N9: signing out ends the epoch, and twice is once`() throws {
        var state = State(tokens: .named("access-0"), lifetime: nil)
        #expect(state.signOut()?.tokens.access.rawValue == "access-0")
        #expect(state.signOut() == nil)
        #expect(throws: NetworkError.self) { try state.check(0) }
        #expect(throws: NetworkError.self) { try state.credential(for: state.epoch, now: .zero) }
    }

    @Test func `N12: a request of an earlier epoch gets no token of a later one`() throws {
        var state = State(tokens: .named("access-a"), lifetime: nil)
        _ = state.signIn(with: .named("access-b"), lifetime: nil, now: .zero)
        #expect(throws: NetworkError.self) { try state.credential(for: 0, now: .zero) }
        guard case .refused = state.enrol("a", as: 1, epoch: 0, now: .zero) else {
            Issue.record("A waiter of the earlier epoch was taken in.")
            return
        }
        #expect(try state.credential(for: 1, now: .zero)?.access.rawValue == "access-b")
    }

    @Test(arguments: [(Duration.seconds(900), Duration.seconds(870)), (.seconds(5), .milliseconds(4500))])
    func `N10: a token is replaced 30 seconds early, or by a tenth of a short life`(
        lifetime: Duration,
        staleAt: Duration
    ) throws {
        let state = State(tokens: .named("access-0"), lifetime: lifetime)
        #expect(try state.credential(for: 0, now: staleAt - .milliseconds(1)) != nil)
        #expect(try state.credential(for: 0, now: staleAt) == nil)
    }
}
