import BackplaneConcurrency
import Foundation
import TestSupport
import Testing

@testable import BackplaneNetworking

/// Tests of the outcomes of a Keychain's statuses; `Tests/Shapes` tests its calls.
@Suite(.timeLimit(.minutes(5))) struct KeychainItemTests {
    private typealias Status = KeychainItem.Status

    private let keychain = FakeKeychain()
    private var item: KeychainItem { KeychainItem(service: "org.example", keychain: keychain) }

    @Test(.rule("V33")) func `tokens are added, updated, loaded and removed`() throws {
        #expect(try item.load() == nil)
        try item.save(.named("one"))
        #expect(keychain.calls == ["read", "update", "add"])
        try item.save(.named("two", expiresIn: .seconds(900)))
        #expect(try item.load()?.access.rawValue == "two")
        #expect(try item.load()?.history?.wasStored == true)
        try item.clear()
        #expect(try item.load() == nil)
        try item.clear()
    }

    @Test(.rule("V33")) func `an item that another process adds at the same time is updated`() throws {
        keychain.beforeAdd.withLock { $0 = Data("of the other process".utf8) }
        try item.save(.named("mine"))
        #expect(keychain.calls == ["update", "add", "update"])
        #expect(try item.load()?.access.rawValue == "mine")
    }

    @Test(
        .rule("V33"),
        arguments: [
            (Status.interactionNotAllowed, "try again when protected data is available, and do not sign in again."),
            (Status.missingEntitlement, "Sign the app, and give it the entitlement"),
            (Status.duplicateItem, "`SecCopyErrorMessageString` describes the status."),
            (-25293, "`SecCopyErrorMessageString` describes the status."),
        ]
    )
    func `a refusal is an error with its status and a remedy, and never nil`(
        status: Int32,
        remedy: String
    ) throws {
        try item.save(.named("access-secret", refresh: "refresh-secret"))
        keychain.refusal.withLock { $0 = status }
        let item = item
        let operations: [(String, () throws -> Void)] = [
            ("read", { _ = try item.load() }), ("removed", { try item.clear() }),
            ("written", { try item.save(.named("other-secret")) }),
        ]
        for (verb, operation) in operations {
            let error = #expect(throws: NetworkError.self, performing: operation)
            #expect(error?.code == .vaultFailed)
            #expect(error?.cause == nil)
            let message = try #require(error?.message)
            #expect(message.hasPrefix("The Keychain item of org.example could not be \(verb) (status \(status)). "))
            #expect(message.contains(remedy))
            #expect(!message.contains("secret"))
        }
        keychain.refusal.withLock { $0 = nil }
        #expect(try item.load()?.access.rawValue == "access-secret")
    }

    @Test(.rule("V33"), arguments: [Data("my secret".utf8), Data(#"{"access_token": 1}"#.utf8), Data(), nil])
    func `data that is not tokens causes an error without the data, and can be cleared`(data: Data?) throws {
        keychain.data.withLock { $0 = .some(data) }
        let error = #expect(throws: NetworkError.self) { try item.load() }
        #expect(
            error?.description == """
                The Keychain item of org.example does not contain valid tokens. Clear the vault and sign in again.
                """
        )
        #expect(error?.code == .vaultFailed)
        #expect(error?.cause == nil)
        try item.save(.named("new"))
        #expect(try item.load()?.access.rawValue == "new")
        try item.clear()
        #expect(try item.load() == nil)
    }
}

/// A keychain with one item at most.
private final class FakeKeychain: Keychain {
    /// The item: `nil` if there is none, and `.some(nil)` for an item without data.
    let data = Locked<Data??>(nil)
    /// The status of every call; `nil` if the keychain works.
    let refusal = Locked<Int32?>(nil)
    /// The data that another process adds before the next `add`.
    let beforeAdd = Locked<Data?>(nil)
    private let log = Locked<[String]>([])

    var calls: [String] { log.withLock { $0 } }

    private func call(_ name: String, needsItem: Bool = true, _ body: (inout Data??) -> Void) -> Int32 {
        log.withLock { $0.append(name) }
        if let refusal = refusal.withLock({ $0 }) { return refusal }
        return data.withLock { data in
            if (data == nil) == needsItem {
                return needsItem ? KeychainItem.Status.itemNotFound : KeychainItem.Status.duplicateItem
            }
            body(&data)
            return KeychainItem.Status.success
        }
    }

    func read() -> (status: Int32, data: Data?) {
        var found: Data??
        let status = call("read") { found = $0 }
        return (status, found ?? nil)
    }

    func add(_ data: Data) -> Int32 {
        if let other = beforeAdd.withLock({ $0.take() }) { self.data.withLock { $0 = .some(other) } }
        return call("add", needsItem: false) { $0 = .some(data) }
    }

    func update(_ data: Data) -> Int32 { call("update") { $0 = .some(data) } }

    func delete() -> Int32 { call("delete") { $0 = nil } }
}
