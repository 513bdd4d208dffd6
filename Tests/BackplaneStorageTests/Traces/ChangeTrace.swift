import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import TestSupport
import Testing

/// The same random acts of users, servers and time on changes in memory and on an outbox.
///
/// After each step, everything that can be seen must be the same. Only what a queue without a file
/// cannot have is left out: a restart, conditions, and decisions at the outbox.
actor ChangeTrace {
    private var generator: SeededGenerator
    private let sides: [ChangeTraceSide]
    private var log: [String] = []
    private var number = 0

    /// Plays the trace of a seed, and returns its log if the queues differ.
    static func run(seed: UInt64, in outbox: Outbox, _ clock: ManualClock) async throws -> String? {
        let trace = try ChangeTrace(seed: seed, outbox, clock)
        let isSame = try await trace.play()
        await trace.end()
        return isSame ? nil : await trace.log.joined(separator: "\n")
    }

    private init(seed: UInt64, _ outbox: Outbox, _ clock: ManualClock) throws {
        generator = SeededGenerator(seed: seed)
        let (first, second) = (ChangeTraceServer(), ChangeTraceServer())
        let controller = try Self.controller(in: first)
        let inMemory = ChangeSender<String, [String]> { (change: WordChange, list, key: IdempotencyKey) in
            try await controller.request(change.endpoint(of: list), key: "\(key)")
        }
        let mine = outbox.account("\(seed)", through: try Self.controller(in: second))
        let durable = ChangeSender<String, [String]>(as: .words, through: mine) { (change: WordChange, list) in
            change.endpoint(of: list)
        }
        mine.start()
        sides = [
            ChangeTraceSide(first, ManualClock(), nil, sending: inMemory),
            ChangeTraceSide(second, clock, mine, sending: durable),
        ]
    }

    private static func controller(in server: ChangeTraceServer) throws -> AuthenticatedNetworkController {
        var options = NetworkOptions()
        // A clock that stands still, so that no request ends by time.
        options.clock = ManualClock()
        let service = try NonAuthenticatedNetworkController(
            baseURL: #require(URL(string: "https://words.example")),
            transport: server,
            options: options
        )
        let tokens = NetworkTokens(access: AccessToken(rawValue: "1"), refresh: RefreshToken(rawValue: "2"))
        return AuthenticatedNetworkController(over: service, tokens: tokens) { _ in
            NonAuthenticatedEndpoint<NetworkTokens>(.post("refresh"))
        }
    }

    private func play() async throws -> Bool {
        guard await load() else { return false }
        for _ in 0..<Int.random(in: 8...24, using: &generator) {
            guard try await step() else { return false }
        }
        return await heal()
    }

    private func end() async {
        for side in sides { await side.end() }
    }

    // MARK: Steps

    private func step() async throws -> Bool {
        let list = ChangeTraceSide.lists[generator.below(2)]
        switch generator.below(100) {
        case ..<36: return await make(list)
        case ..<70: return await reply(list)
        case ..<78: return await endLoad(list)
        case ..<84: return await settle("time passes", advancing: true)
        case ..<90: return await dismiss(list)
        case ..<97: return await all("reload \(list)") { $0.reload(list) }
        default:
            for side in sides { try await side.reset() }
            return await load()
        }
    }

    /// Loads the lists.
    private func load() async -> Bool {
        for side in sides { side.load() }
        guard await settle("load") else { return false }
        return await all("end loads") { side in
            for list in ChangeTraceSide.lists { side.server.endLoad(of: list, isFresh: true) }
        }
    }

    private func all(_ name: String, _ act: (ChangeTraceSide) -> Void) async -> Bool {
        for side in sides { act(side) }
        return await settle(name)
    }

    private func make(_ list: String) async -> Bool {
        number += 1
        let words = sides[0].view.values[list] ?? []
        let removed = generator.chance(30) ? words.randomElement(using: &generator) : nil
        let change = WordChange(number: number, word: removed ?? "w\(number)", isRemoval: removed != nil)
        let needed = generator.chance(30) ? sides[0].known(list).randomElement(using: &generator) : nil
        for side in sides.indices {
            sides[side].expect(change, of: list)
            Task { await self.make(change, of: list, after: needed, on: side) }
        }
        return await settle("make \(change.label) of \(list) after \(needed ?? "none")")
    }

    private func make(_ change: WordChange, of list: String, after needed: String?, on side: Int) async {
        await sides[side].make(change, of: list, after: needed)
    }

    private func reply(_ list: String) async -> Bool {
        let reply: ChangeTraceServer.Reply
        if sides[0].server.hasCarriedOut(list) {
            // It repeats its response, or says nothing about the key.
            reply = [.success, .success, .lost(isCarriedOut: true), .status(503), .status(409)][generator.below(5)]
        } else {
            let codes = [400, 404, 409, 412, 422, 429, 500, 503]
            switch generator.below(100) {
            case ..<45: reply = .success
            case ..<70: reply = .status(codes[generator.below(codes.count)])
            default: reply = .lost(isCarriedOut: generator.chance(50))
            }
        }
        return await all("reply \(reply) to \(list)") { $0.server.reply(to: list, reply) }
    }

    private func endLoad(_ list: String) async -> Bool {
        let isFresh = generator.chance(50)
        return await all("end load of \(list), \(isFresh ? "fresh" : "as it was")") { side in
            side.server.endLoad(of: list, isFresh: isFresh)
        }
    }

    private func dismiss(_ list: String) async -> Bool {
        guard let label = sides[0].failed(list).randomElement(using: &generator) else { return true }
        return await all("dismiss \(label)") { $0.dismiss(label, of: list) }
    }

    /// Confirms everything, and returns whether each list then shows what its server has.
    private func heal() async -> Bool {
        for _ in 0..<100 {
            guard await settle("heal", advancing: true) else { return false }
            if sides.allSatisfy({ $0.server.open.isEmpty && $0.server.loading.isEmpty }) { break }
            for side in sides {
                for list in side.server.open.keys { side.server.reply(to: list, .success) }
                for list in side.server.loading.keys { side.server.endLoad(of: list, isFresh: true) }
            }
        }
        let view = sides[0].view
        if view.values == view.words, view.open.isEmpty { return true }
        log.append("At rest, the lists differ from the server: \(view)")
        return false
    }

    // MARK: Comparison

    /// Waits until nothing happens on both sides and both look the same.
    ///
    /// Loads are not compared. The outcomes of an outbox arrive in a turn of their own, so a load
    /// that began in between may be made again.
    ///
    /// - Parameters:
    ///   - step: the name of the step.
    ///   - isAdvancing: whether the time of the next attempts comes.
    /// - Returns: whether both look the same in time.
    private func settle(_ step: String, advancing isAdvancing: Bool = false) async -> Bool {
        log.append("- \(step)")
        let limit = ContinuousClock.now + .seconds(120)
        var turns = 0
        while true {
            let isWaiting = isAdvancing && sides.contains { $0.isWaiting }
            if !isWaiting, sides.allSatisfy(\.isQuiet), sides[0].view == sides[1].view { return true }
            if isWaiting, turns % 16 == 0 {
                for side in sides where side.isWaiting { side.clock.advance(by: .seconds(301)) }
            }
            turns += 1
            if ContinuousClock.now > limit {
                log += zip(["memory", "outbox"], sides).map { "\($0) (\($1.isQuiet ? "quiet" : "busy")): \($1.view)" }
                return false
            }
            await Task.yield()
        }
    }
}

extension OutboxKind {
    static let words = OutboxKind("words", keyWindow: .seconds(Int64.max))
}
