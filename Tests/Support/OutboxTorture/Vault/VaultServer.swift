import BackplaneConformance
import BackplaneTesting
import Foundation
import TestSupport

/// The server of the run with vaults: it rotates refresh tokens and knows who has used which.
///
/// It forgives the last used refresh token once more, as N11 asks for. An older one is theft.
final class VaultServer: Sendable {
    struct Family: Sendable {
        var latest = 0
        /// How many requests the latest access token is still good for.
        var uses: Int
        var isRevoked = false
    }

    struct State: Sendable {
        var families: [VaultFamily: Family] = [:]
        var violations: [String] = []
        var refreshes = 0
        /// Refresh tokens that came again after they were exchanged.
        var repeats = 0
        /// How many requests an access token is good for.
        var usesEach = 3
        /// How many of 100 refreshes lose their response.
        var lossPercentage = 0
        /// Whether the next refresh gets no response, before or after its execution.
        var stall: Stall?
        var isStalled = false
        var generator: SeededGenerator
    }

    enum Stall: Sendable {
        case before
        case after
    }

    let state: Watched<State>

    init(seed: UInt64) {
        state = Watched(State(generator: SeededGenerator(seed: seed)))
    }

    /// Responds to one request.
    func answer(_ request: ScriptedServer.Request, on connection: ScriptedServer.Connection) async {
        let form = (try? JSONDecoder().decode([String: String].self, from: request.body)) ?? [:]
        switch request.target {
        case "/sign-in": await connection.send(state.update { $0.signIn(form["account"] ?? "") }.bytes)
        case "/revoke":
            state.update { state in
                if let family = VaultFamily(form["token"] ?? "") { state.families[family]?.isRevoked = true }
            }
            await connection.send(ScriptedServer.Reply.status(204).bytes)
        case "/refresh": await refresh(form["token"] ?? "", on: connection)
        default: await connection.send(state.update { $0.serve(request) }.bytes)
        }
    }

    private func refresh(_ token: String, on connection: ScriptedServer.Connection) async {
        let stall = state.update { state in
            defer { state.stall = nil }
            return state.stall
        }
        let reply = stall == .before ? nil : state.update { $0.refresh(token) }
        if stall != nil {
            // The driver kills the process that waits, and the connection ends with it.
            state.update { $0.isStalled = true }
            return
        }
        guard let reply, !state.update({ $0.generator.chance($0.lossPercentage) }) else { return connection.hangUp() }
        await connection.send(reply.bytes)
    }
}

extension VaultServer.State {
    fileprivate mutating func signIn(_ account: String) -> ScriptedServer.Reply {
        let family = VaultFamily(account: account, number: families.count + 1)
        families[family] = VaultServer.Family(uses: usesEach)
        return tokens(of: family)
    }

    private func tokens(of family: VaultFamily) -> ScriptedServer.Reply {
        let name = "\(family).\(families[family]?.latest ?? 0)"
        return .json(#"{"access_token":"a.\#(name)","refresh_token":"r.\#(name)","expires_in":900}"#)
    }

    /// Returns the family and the number of a token.
    private func find(_ token: String) -> (VaultFamily, number: Int)? {
        guard let family = VaultFamily(token), let number = token.split(separator: ".").last.flatMap({ Int($0) }),
            families[family] != nil
        else { return nil }
        return (family, number)
    }

    fileprivate mutating func refresh(_ token: String) -> ScriptedServer.Reply {
        refreshes += 1
        let refused = ScriptedServer.Reply.json(#"{"error":"invalid_grant"}"#, status: 400)
        guard let (family, number) = find(token), var known = families[family], !known.isRevoked else { return refused }
        if number == known.latest {
            known.latest += 1
            known.uses = usesEach
        } else if number == known.latest - 1 {
            repeats += 1
        } else {
            violations.append("N11: refresh token \(token) is used although \(known.latest) is the latest")
            known.isRevoked = true
            families[family] = known
            return refused
        }
        families[family] = known
        return tokens(of: family)
    }

    /// Responds to a request of a user.
    fileprivate mutating func serve(_ request: ScriptedServer.Request) -> ScriptedServer.Reply {
        guard let (family, number) = find(request.bearer ?? ""), let known = families[family], !known.isRevoked,
            number == known.latest, known.uses > 0
        else { return .json(#"{"error":"invalid_token"}"#, status: 401) }
        families[family]?.uses -= 1
        if request.target == "/password" {
            families[family]?.isRevoked = true
            return signIn(family.account)
        }
        let asked = request.target.split(separator: "/").last.map(String.init) ?? ""
        if asked != family.account { violations.append("N12: a request of \(asked) has a token of \(family)") }
        return .json(#"{"account":"\#(family.account)"}"#)
    }
}
