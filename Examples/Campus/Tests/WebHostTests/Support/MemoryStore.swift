import Foundation
import WebHost

/// A store in memory whose content a test can inspect and copy.
actor MemoryStore: SessionStore {
    struct Broken: Error {}

    private(set) var content: [String: Data]
    /// The number of updates.
    private(set) var updateCount = 0
    /// The largest number of bytes that were stored at a time.
    private(set) var largestSize = 0
    /// The number of updates that started before the previous update ended.
    private(set) var overlapCount = 0
    /// The number of bytes of all updates.
    private(set) var writtenSize = 0
    /// Whether the host has closed the store, after which it must not change it.
    private(set) var isClosed = false
    private var isUpdating = false
    private var isBroken = false
    private var waiters: [(isMet: @Sendable ([String: Data]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
        []

    init(_ content: [String: Data] = [:]) {
        self.content = content
    }

    /// Returns a copy of the content, as another process would find after a crash.
    func copy() -> MemoryStore { MemoryStore(content) }

    /// Sets whether every update throws.
    func setBroken(_ isBroken: Bool) {
        self.isBroken = isBroken
    }

    /// Waits until the content meets the condition `isMet`.
    func until(_ isMet: @escaping @Sendable ([String: Data]) -> Bool) async {
        if isMet(content) { return }
        await withCheckedContinuation { waiters.append((isMet, $0)) }
    }

    /// The whole content as text.
    var text: String {
        content.sorted { $0.key < $1.key }.map { "\($0.key) \(String(decoding: $0.value, as: UTF8.self))" }
            .joined(separator: "\n").replacing("\\/", with: "/")
    }

    func records() -> [String: Data] { content }

    func check() throws {
        if isBroken { throw Broken() }
    }

    func close() {
        isClosed = true
    }

    func update(_ changes: [String: Data?]) async throws {
        updateCount += 1
        if isClosed { throw Broken() }
        if isUpdating { overlapCount += 1 }
        isUpdating = true
        defer { isUpdating = false }
        // A slow update detects a caller that does not wait for its end.
        for _ in 0..<100 { await Task.yield() }
        if isBroken { throw Broken() }
        for (key, data) in changes { content[key] = data }
        writtenSize += changes.values.reduce(0) { $0 + ($1?.count ?? 0) }
        largestSize = max(largestSize, content.values.reduce(0) { $0 + $1.count })
        let met = waiters.filter { $0.isMet(content) }
        waiters.removeAll { $0.isMet(content) }
        for waiter in met { waiter.continuation.resume() }
    }
}

extension [String: Data] {
    /// Returns the number of records of a sort.
    func count(of sort: String) -> Int { keys.count { $0.hasPrefix("\(sort)/") } }
}
