import Foundation
import TestSupport
import Testing

@testable import BackplaneNetworking

/// Tests of the rules without threads, network or time.
///
/// A waiter is a name.
struct TokenSessionStateMachineTests {
    private typealias State = TokenSessionStateMachine<String>

    /// Creates a session with an expired token and a running refresh for the waiter "first".
    private func refreshing() throws -> (state: State, refresh: TokenRefresh) {
        var state = State(tokens: .named("access-0"), lifetime: .zero)
        guard case .waiting(let refresh?) = state.addWaiter("first", as: 1, epoch: 0, now: .zero) else {
            throw NetworkError.signedOut
        }
        return (state, refresh)
    }

    @Test(.rule("N2")) func `only the first waiter starts a refresh, and all waiters resume in their order of arrival`()
        throws
    {
        var (state, refresh) = try refreshing()
        for id in 2...4 {
            guard case .waiting(nil) = state.addWaiter("\(id)", as: id, epoch: 0, now: .zero) else {
                Issue.record("Waiter \(id) started a second refresh.")
                return
            }
        }
        #expect(try state.credential(for: 0, now: .zero) == nil)
        let result = state.commit(.named("access-1"), by: refresh)
        let committed = try #require(result)
        #expect(committed.waiters == ["first", "2", "3", "4"])
        #expect(committed.credential.access.rawValue == "access-1")
        #expect(committed.credential.stamp == TokenStamp(epoch: 0, generation: 1))
    }

    @Test(.rule("N2")) func `a waiter that arrives after a refresh gets the new token at once`() throws {
        var (state, refresh) = try refreshing()
        _ = state.commit(.named("access-1"), by: refresh)
        guard case .admitted(let credential) = state.addWaiter("late", as: 2, epoch: 0, now: .zero) else {
            Issue.record("The late waiter did not get the token.")
            return
        }
        #expect(credential.access.rawValue == "access-1")
    }

    @Test(.rule("N2")) func `a token is not used during its refresh, even if the token is still valid`() throws {
        var state = State(tokens: .named("access-0"), lifetime: .seconds(100))
        #expect(state.beginRefresh() != nil)
        #expect(try state.credential(for: 0, now: .zero) == nil)
        guard case .waiting(nil) = state.addWaiter("first", as: 1, epoch: 0, now: .zero) else {
            Issue.record("The request does not wait for the running refresh.")
            return
        }
    }

    @Test(.rule("N3")) func `a refusal of a replaced token does not affect its successor`() throws {
        var (state, refresh) = try refreshing()
        _ = state.commit(.named("access-1"), by: refresh)
        state.refuse(TokenStamp(epoch: 0, generation: 0))
        #expect(try state.credential(for: 0, now: .zero) != nil)
        state.refuse(TokenStamp(epoch: 0, generation: 1))
        #expect(try state.credential(for: 0, now: .zero) == nil)
    }

    @Test(.rule("N21")) func `a refresh cannot return a token that the server has refused before`() throws {
        var (state, refresh) = try refreshing()
        for name in ["access-1", "access-2"] {
            let committed = state.commit(.named(name), by: refresh)
            state.refuse(try #require(committed).credential.stamp)
            let next = state.beginRefresh()
            refresh = try #require(next)
        }
        let waiting = state.addWaiter("second", as: 2, epoch: 0, now: .zero)
        guard case .waiting(nil) = waiting else { throw NetworkError.signedOut }
        let repeated = state.refuse(
            .named("access-1", refresh: "refresh-9"),
            by: refresh,
            with: .tokenRefused,
            pause: .seconds(1),
            now: .zero
        )
        #expect(repeated == ["second"])
        #expect(throws: NetworkError.self) { try state.credential(for: 0, now: .zero) }
        // The next refresh uses the refresh token of this one.
        #expect(try state.credential(for: 0, now: .seconds(1)) == nil)
        let next = state.beginRefresh()
        #expect(state.tokens(for: try #require(next))?.refresh?.rawValue == "refresh-9")
        #expect(try #require(next).failures == 1)
    }

    @Test(.rule("N4")) func `a refresh continues after its last waiter is removed`() throws {
        var (state, refresh) = try refreshing()
        let removed = [state.removeWaiter(1), state.removeWaiter(1)]
        #expect(removed == ["first", nil])
        let committed = state.commit(.named("access-1"), by: refresh)
        #expect(committed?.waiters == [])
        #expect(try state.credential(for: 0, now: .zero)?.access.rawValue == "access-1")
    }

    enum Change: CaseIterable {
        case refresh
        case signOut
        case signIn
        case replacement
    }

    @Test(.rule("N6"), arguments: Change.allCases)
    func `an outcome of a refresh has no effect after the tokens have changed`(change: Change) throws {
        var (state, refresh) = try refreshing()
        switch change {
        case .refresh: #expect(state.commit(.named("access-9"), by: refresh)?.waiters == ["first"])
        case .signOut: #expect(state.signOut()?.waiters == ["first"])
        case .signIn:
            #expect(state.signIn(with: .named("access-9"), lifetime: nil, now: .zero)?.waiters == ["first"])
        case .replacement:
            let replaced = state.replaceTokens(with: .named("access-9", refresh: nil), lifetime: nil, now: .zero)
            #expect(replaced?.waiters == ["first"])
            #expect(replaced?.credential.access.rawValue == "access-9")
            #expect(replaced?.tokens.refresh?.rawValue == "refresh-1")
        }
        // The refresh is late even if the next one is under way.
        for hasNext in [false, true] {
            let next = hasNext ? state.beginRefresh() : nil
            #expect((next != nil) == (hasNext && change != .signOut))
            state.take(.named("access-1"), for: refresh)
            #expect(state.tokens(for: refresh) == nil)
            #expect(state.commit(.named("access-1"), by: refresh) == nil)
            #expect(state.giveUp(refresh, with: unavailable, pause: .zero, now: .zero) == nil)
            #expect(state.expire(refresh, with: .sessionExpired(nil)) == nil)
            #expect(state.isSignedIn == (change != .signOut))
            if let next { #expect(state.tokens(for: next)?.access.rawValue == "access-9") }
        }
    }

    // MARK: N7

    @Test(.rule("N7")) func `requests fail at once after a temporary refresh failure until the pause ends`() throws {
        var (state, refresh) = try refreshing()
        let failed = state.giveUp(refresh, with: unavailable, pause: .seconds(2), now: .seconds(1))
        #expect(failed?.waiters == ["first"])
        #expect(failed?.credential == nil)
        guard case .refused(let error) = state.addWaiter("early", as: 2, epoch: 0, now: .milliseconds(2999)) else {
            Issue.record("A waiter was accepted during the pause after a failed refresh.")
            return
        }
        #expect(error.code == .refreshUnavailable)
        guard case .waiting(let next?) = state.addWaiter("late", as: 3, epoch: 0, now: .seconds(3)) else {
            Issue.record("The refresh was not repeated.")
            return
        }
        #expect(next.failures == 1)
    }

    @Test(.rule("N7")) func `a valid token is used during the pause after a failed refresh`() throws {
        // The token is stale after 90 seconds and valid until 100 seconds.
        var state = State(tokens: .named("access-0"), lifetime: .seconds(100))
        guard case .waiting(let refresh?) = state.addWaiter("first", as: 1, epoch: 0, now: .seconds(90)) else {
            Issue.record("The token is not stale yet.")
            return
        }
        let failed = state.giveUp(refresh, with: unavailable, pause: .seconds(60), now: .seconds(91))
        #expect(failed?.credential?.access.rawValue == "access-0")
        #expect(try state.credential(for: 0, now: .seconds(99))?.access.rawValue == "access-0")
        #expect(throws: NetworkError.self) { try state.credential(for: 0, now: .seconds(100)) }
    }

    @Test(.rule("N2"), arguments: [true, false])
    func `a refused token is not used after a failed refresh`(isRefusedMeanwhile: Bool) throws {
        var state = State(tokens: .named("access-0"), lifetime: .seconds(100))
        guard case .waiting(let refresh?) = state.addWaiter("first", as: 1, epoch: 0, now: .seconds(90)) else {
            Issue.record("The token is not stale yet.")
            return
        }
        let stamp = TokenStamp(epoch: 0, generation: 0)
        if isRefusedMeanwhile { state.refuse(stamp) }
        let failed = state.giveUp(refresh, with: unavailable, pause: .seconds(60), now: .seconds(91))
        #expect((failed?.credential == nil) == isRefusedMeanwhile)
        if !isRefusedMeanwhile { state.refuse(stamp) }
        #expect(throws: NetworkError.self) { try state.credential(for: 0, now: .seconds(92)) }
    }

    @Test(.rule("N14")) func `a token may be sent until the token is refused or replaced`() throws {
        var (state, refresh) = try refreshing()
        let old = TokenStamp(epoch: 0, generation: 0)
        #expect(state.use(of: old) == .allowed)
        state.refuse(old)
        #expect(state.use(of: old) == .refused)
        let result = state.commit(.named("access-1"), by: refresh)
        let new = try #require(result).credential.stamp
        #expect(state.use(of: old) == .replaced)
        #expect(state.use(of: new) == .allowed)
        state.refuse(new)
        #expect(state.use(of: new) == .refused)
        _ = state.signOut()
        #expect(state.use(of: new) == .replaced)
    }

    @Test(.rule("N7")) func `a successful refresh resets the number of failures`() throws {
        var (state, refresh) = try refreshing()
        _ = state.giveUp(refresh, with: unavailable, pause: .zero, now: .zero)
        let second = state.beginRefresh()
        #expect(second?.failures == 1)
        if let second { _ = state.commit(.named("access-1"), by: second) }
        let third = state.beginRefresh()
        #expect(third?.failures == 0)
    }

    private let unavailable = NetworkError.refreshUnavailable(URLError(.notConnectedToInternet))

    @Test(.rule("N9")) func `a sign-out ends the session, and a second sign-out has no effect`() throws {
        var state = State(tokens: .named("access-0"), lifetime: nil)
        #expect(state.signOut()?.tokens.access.rawValue == "access-0")
        #expect(state.signOut() == nil)
        #expect(throws: NetworkError.self) { try state.check(0) }
        #expect(throws: NetworkError.self) { try state.credential(for: state.epoch, now: .zero) }
    }

    @Test(.rule("N12")) func `a request made without a signed-in user does not belong to the next user`() throws {
        var state = State(tokens: .named("access-a"), lifetime: nil)
        _ = state.signOut()
        let epoch = state.epoch
        _ = state.signIn(with: .named("access-b"), lifetime: nil, now: .zero)
        #expect(throws: NetworkError.self) { try state.check(epoch) }
    }

    @Test func `the reason for the end of a session is thrown only to requests of that session`() throws {
        var state = State(tokens: .named("access-a"), lifetime: nil)
        _ = state.signIn(with: .named("access-b", expiresIn: .zero), lifetime: .zero, now: .zero)
        let refresh = state.beginRefresh()
        if let refresh { _ = state.expire(refresh, with: .sessionExpired(nil)) }
        let own = #expect(throws: NetworkError.self) { try state.check(1) }
        #expect(own?.code == .sessionExpired)
        let other = #expect(throws: NetworkError.self) { try state.check(0) }
        #expect(other?.code == .signedOut)
    }

    @Test(.rule("N12")) func `a request of an earlier session gets no token of a later session`() throws {
        var state = State(tokens: .named("access-a"), lifetime: nil)
        _ = state.signIn(with: .named("access-b"), lifetime: nil, now: .zero)
        #expect(throws: NetworkError.self) { try state.credential(for: 0, now: .zero) }
        guard case .refused = state.addWaiter("a", as: 1, epoch: 0, now: .zero) else {
            Issue.record("A waiter of the earlier epoch was accepted.")
            return
        }
        #expect(try state.credential(for: 1, now: .zero)?.access.rawValue == "access-b")
    }

    @Test(
        .rule("N10"),
        arguments: [(Duration.seconds(900), Duration.seconds(870)), (.seconds(5), .milliseconds(4500))]
    )
    func `a token is replaced 30 seconds, or a tenth of its lifetime, before its end`(
        lifetime: Duration,
        staleAt: Duration
    ) throws {
        let state = State(tokens: .named("access-0"), lifetime: lifetime)
        #expect(try state.credential(for: 0, now: staleAt - .milliseconds(1)) != nil)
        #expect(try state.credential(for: 0, now: staleAt) == nil)
    }
}

extension TokenSessionStateMachine {
    /// Commits tokens with an unknown expiry.
    fileprivate mutating func commit(
        _ tokens: NetworkTokens,
        by refresh: TokenRefresh
    ) -> (credential: TokenCredential, waiters: [Waiter])? {
        commit(tokens, lifetime: nil, from: .zero, by: refresh, now: .zero)
    }
}
