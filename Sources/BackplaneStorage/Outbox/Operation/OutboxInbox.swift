public import BackplaneFeatures
public import BackplaneNetworking
public import Foundation

/// A directory in which another program of the app, such as an extension, leaves operations (D17).
///
/// An extension must not open the file of an ``Outbox``, because the system ends a process that is
/// suspended while it holds a lock in an App Group. It writes one small file for each operation
/// instead, and the app imports them:
///
/// ```swift
/// // In the extension:
/// let inbox = OutboxInbox(directory: group.appending(path: "inbox"))
/// try inbox.add(.save(link), of: .links, account: user, entity: "links")
/// // In the app:
/// try await outbox.import(inbox)
/// ```
///
/// **Isolation.** Use it from any thread and any process.
public struct OutboxInbox: Sendable {
    /// An operation as it is written to a file.
    struct Letter: Codable, Sendable {
        let id: String
        let account: String
        let kind: String
        let version: Int
        let entity: String
        let label: String?
        let request: Data
    }

    fileprivate let directory: URL

    /// Creates an inbox in `directory`, which is created when the first operation is added.
    public init(directory: URL) {
        self.directory = directory
    }

    /// Writes an operation, and returns when its file is complete.
    ///
    /// - Parameters:
    ///   - endpoint: The request.
    ///   - kind: The kind of the operation; the app's outbox must have it.
    ///   - account: The account in the app's outbox.
    ///   - entity: The name of the thing that the operation changes, the same as in the app.
    ///   - label: A text for the user.
    ///   - key: The key of the operation.
    ///   - encoder: The encoder for bodies, the same as that of the app's controller.
    /// - Returns: The key of the operation.
    /// - Throws: ``StorageError`` with `notSaved`. `NetworkError` if the endpoint cannot be sent.
    @discardableResult
    public func add<Response>(
        _ endpoint: AuthenticatedIdempotentEndpoint<Response>,
        of kind: OutboxKind,
        account: some LosslessStringConvertible,
        entity: String,
        label: String? = nil,
        key: IdempotencyKey = IdempotencyKey(),
        encoder: JSONEncoder = NetworkOptions().encoder
    ) throws -> IdempotencyKey {
        let letter = Letter(
            id: "\(key)",
            account: String(account),
            kind: kind.name,
            version: kind.versions.upperBound,
            entity: entity,
            label: label,
            request: try FrozenRequest(endpoint, encoder: encoder).data
        )
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            // The names sort in the order of writing. A file appears under its name when it is
            // complete.
            let time = String(Int64(Date().timeIntervalSince1970 * 1_000_000))
            let name = String(repeating: "0", count: max(0, 20 - time.count)) + time + "-\(key).json"
            try PrivateFile.replace(atPath: directory.appending(path: name).path, with: JSONEncoder().encode(letter))
        } catch {
            throw StorageError.notSaved(directory.path, error)
        }
        return key
    }

    /// The complete files in the order in which they were written.
    fileprivate var files: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { directory.appending(path: $0) }
    }
}

extension Outbox {
    /// Saves the operations of an inbox, with the keys that they have in the inbox.
    ///
    /// A file is removed after its operation is on the disk. The outbox knows the operation until
    /// the file is removed. So no operation is lost or saved twice, even if the process ends in
    /// between, or if the server confirms the operation in between. If a file cannot be read, it
    /// stays. If an operation cannot be saved, its file stays, with the files of later operations
    /// of the same entity. All other operations are saved.
    ///
    /// - Parameter inbox: The inbox in which an extension has left operations.
    /// - Returns: The files that could not be read.
    /// - Throws: ``StorageError`` with `notSaved`, `full` or `newerVersion`, after everything else
    ///   was saved. The files of operations that were not saved stay, for the next call.
    @discardableResult
    public func `import`(_ inbox: OutboxInbox) async throws -> [URL] {
        try await importLetters(of: inbox) { try FileManager.default.removeItem(at: $0) }
    }

    /// Imports the operations as ``import(_:)`` does, and removes files by `remove`.
    func importLetters(of inbox: OutboxInbox, removing remove: (URL) throws -> Void) async throws -> [URL] {
        var unreadable: [URL] = []
        var failure: (any Error)?
        var stopped: Set<[String]> = []
        var touched: Set<String> = []
        let files = inbox.files
        for url in files {
            guard let data = try? Data(contentsOf: url),
                let letter = try? JSONDecoder().decode(OutboxInbox.Letter.self, from: data),
                let key = IdempotencyKey(letter.id), letter.version > 0
            else {
                unreadable.append(url)
                continue
            }
            let draft = OutboxDraft(
                id: key,
                account: letter.account,
                kind: OutboxKind(letter.kind, version: letter.version),
                entity: letter.entity,
                label: letter.label,
                request: letter.request
            )
            // D36: A letter that cannot be saved keeps only its followers waiting.
            if stopped.contains([letter.account, letter.entity]) { continue }
            let insert = insertion(of: draft)
            do {
                try await withCheckedThrowingContinuation { (saving: CheckedContinuation<Void, any Error>) in
                    file.save { transaction in
                        if try transaction.isImported(url) { return }
                        try insert(transaction)
                        try transaction.noteImport(of: url)
                    } completion: { error in
                        if let error { saving.resume(throwing: error) } else { saving.resume() }
                    }
                }
            } catch {
                failure = failure ?? error
                stopped.insert([letter.account, letter.entity])
                continue
            }
            touched.insert(letter.account)
            try? remove(url)
            let mine = accounts(named: letter.account).first
            mine?.changed()
            mine?.wakeSenders()
        }
        for account in touched { forgetAccount(account) }
        let (directory, rest) = (inbox.directory, inbox.files)
        // If this fails, the next import does it.
        if !files.isEmpty { try? await file.change { try $0.forgetLetters(of: directory, except: rest) } }
        if let failure { throw failure }
        return unreadable
    }
}
