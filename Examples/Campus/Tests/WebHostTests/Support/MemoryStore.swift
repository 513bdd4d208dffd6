import Foundation
import WebHost

/// A store in memory, of which a test can see what a crash would leave.
actor MemoryStore: SessionStore {
    struct Broken: Error {}

    private(set) var content: [String: Data]
    /// How often something was changed, and how often before the last change was made.
    private(set) var updateCount = 0
    private(set) var overlapCount = 0
    private var isUpdating = false
    private var isBroken = false
    private var waiters: [(isMet: @Sendable ([String: Data]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
        []

    init(_ content: [String: Data] = [:]) {
        self.content = content
    }

    /// What another process would find if this one ended now.
    func copy() -> MemoryStore { MemoryStore(content) }

    /// Refuses every change, or no more.
    func setBroken(_ isBroken: Bool) {
        self.isBroken = isBroken
    }

    /// Returns when what is stored is as `isMet` wants it.
    func until(_ isMet: @escaping @Sendable ([String: Data]) -> Bool) async {
        if isMet(content) { return }
        await withCheckedContinuation { waiters.append((isMet, $0)) }
    }

    /// Everything in it as text.
    var text: String {
        content.sorted { $0.key < $1.key }.map { "\($0.key) \(String(decoding: $0.value, as: UTF8.self))" }
            .joined(separator: "\n").replacing("\\/", with: "/")
    }

    func records() -> [String: Data] { content }

    func update(_ changes: [String: Data?]) async throws {
        updateCount += 1
        if isUpdating { overlapCount += 1 }
        isUpdating = true
        defer { isUpdating = false }
        // Takes its time, so that whoever does not wait for it is found out.
        for _ in 0..<100 { await Task.yield() }
        if isBroken { throw Broken() }
        for (key, data) in changes { content[key] = data }
        let met = waiters.filter { $0.isMet(content) }
        waiters.removeAll { $0.isMet(content) }
        for waiter in met { waiter.continuation.resume() }
    }
}

extension [String: Data] {
    /// How many records of a sort there are.
    func count(of sort: String) -> Int { keys.count { $0.hasPrefix("\(sort)/") } }
}
